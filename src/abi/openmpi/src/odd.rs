// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions whose shape does not fit the table.
