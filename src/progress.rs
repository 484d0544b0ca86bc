// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one loop: moves messages and background operations forward, and knows how to wait.

/// Moves everything forward once, without waiting. Returns whether anything happened.
pub fn poll() -> bool {
    todo!()
}

/// Waits until `ready` holds, moving everything forward meanwhile: spins, then yields, then sleeps until a peer rings.
/// `ready` is called often and must be cheap; whoever makes it true from another process must ring this one
/// (`transport::shm::ring`) afterwards. `what` names the wait for the report of a stuck program.
pub fn wait(_what: &str, mut _ready: impl FnMut() -> bool) {
    todo!()
}
