// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who am I, who are the others, and three verbs to find them: put, get, fence; and abort.

use crate::object::error::Result;

/// What a launcher tells a process, and the key-value store it offers.
pub trait Server: Send {
    /// My number in the job.
    fn rank(&self) -> u32;
    /// How many processes the job has.
    fn size(&self) -> u32;
    /// Publishes a value (seen by others after a fence).
    fn put(&mut self, key: &str, value: &str) -> Result<()>;
    /// Waits until all processes of the job have come here.
    fn fence(&mut self) -> Result<()>;
    /// A value that `rank` published before the last fence.
    fn get(&mut self, rank: u32, key: &str) -> Result<String>;
    /// Tells the launcher that this process ends in order.
    fn finalize(&mut self) -> Result<()>;
    /// Asks the launcher to end the whole job with this exit code; returns if the launcher could only be asked.
    fn abort(&mut self, code: i32, text: &str);
    /// A name of the server for the report ("pmi1", "pmix", "singleton").
    fn name(&self) -> &'static str;
}

/// Finds the server this environment promises and connects to it. No promise: a singleton. A promise that nobody
/// answers: one clear error, never a singleton.
pub fn connect() -> Result<Box<dyn Server>> {
    todo!()
}
