// SPDX-License-Identifier: MIT OR Apache-2.0
//! Client of PMIx.

use super::Server;
use crate::err;
use crate::object::error::Result;
use std::time::Duration;

/// A connection to a PMIx server.
pub struct Client;

impl Client {
    /// Connects to the server that the environment names.
    pub fn connect(_uri: &str, _limit: Duration) -> Result<Client> {
        Err(err!(Other, "PMIx is not there yet"))
    }
}

impl Server for Client {
    fn rank(&self) -> u32 {
        0
    }

    fn size(&self) -> u32 {
        1
    }

    fn put(&mut self, _key: &str, _value: &str) -> Result<()> {
        Ok(())
    }

    fn fence(&mut self) -> Result<()> {
        Ok(())
    }

    fn get(&mut self, rank: u32, key: &str) -> Result<String> {
        Err(err!(Other, "rank {rank} published no {key}"))
    }

    fn finalize(&mut self) -> Result<()> {
        Ok(())
    }

    fn abort(&mut self, _code: i32, _text: &str) {}

    fn name(&self) -> &'static str {
        "pmix"
    }
}
