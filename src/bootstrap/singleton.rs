// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process started alone: rank 0 of 1, its own key-value store.

use super::Server;
use crate::err;
use crate::object::error::Result;
use std::collections::HashMap;

/// The store of one process.
#[derive(Default)]
pub struct Singleton {
    values: HashMap<String, String>,
}

impl Singleton {
    /// An empty store.
    pub fn new() -> Singleton {
        Singleton::default()
    }
}

impl Server for Singleton {
    fn rank(&self) -> u32 {
        0
    }

    fn size(&self) -> u32 {
        1
    }

    fn put(&mut self, key: &str, value: &str) -> Result<()> {
        self.values.insert(key.into(), value.into());
        Ok(())
    }

    fn fence(&mut self) -> Result<()> {
        Ok(())
    }

    fn get(&mut self, rank: u32, key: &str) -> Result<String> {
        match self.values.get(key) {
            Some(value) if rank == 0 => Ok(value.clone()),
            _ => Err(err!(Intern, "rank {rank} published no {key}")),
        }
    }

    fn finalize(&mut self) -> Result<()> {
        Ok(())
    }

    fn abort(&mut self, _code: i32, _text: &str) {}

    fn name(&self) -> &'static str {
        "singleton"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_was_put() {
        let mut alone = Singleton::new();
        alone.put("a", "1").unwrap();
        alone.fence().unwrap();
        assert_eq!(alone.get(0, "a").unwrap(), "1");
        assert!(alone.get(0, "b").is_err());
        assert!(alone.get(1, "a").is_err());
    }
}
