// SPDX-License-Identifier: MIT OR Apache-2.0
//! Starting and ending: our launcher ([`launch`]), and the same program under other launchers ([`start`]).

mod common;
mod launch;
mod start;
