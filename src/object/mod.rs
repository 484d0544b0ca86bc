// SPDX-License-Identifier: MIT OR Apache-2.0
//! What handles name. One object a file or folder:
//! [`constant`] the standard ABI's values · [`error`] classes and `Result` · [`handle`] tables · [`status`] ·
//! [`datatype`] · [`op`] · [`comm`] · [`group`] · [`attribute`] · [`errhandler`] · [`info`] · [`request`] ·
//! [`session`] ·
//! [`environment`] calls about the library and its surroundings · [`abi`] about the ABI · [`callback`] how the face calls user functions.

pub mod abi;
pub mod attribute;
pub mod callback;
pub mod comm;
pub mod constant;
pub mod datatype;
pub mod environment;
pub mod errhandler;
pub mod error;
pub mod group;
pub mod handle;
pub mod info;
pub mod op;
pub mod request;
pub mod session;
pub mod status;
