// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attributes: values that programs cache on objects (MPI 5.0, section 7.7).
//! [`predefined`] those that MPI sets itself.

pub mod predefined;

pub use predefined::set_last_used_code;
