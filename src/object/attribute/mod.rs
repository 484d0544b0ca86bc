// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attributes: values that programs cache on objects (MPI 5.0, section 7.7). Here: the values on one object, and when
//! the program's copy and delete functions run · [`keyval`] the keys · [`predefined`] the attributes that MPI sets ·
//! [`calls`] the MPI calls for communicators and datatypes · [`datatype`] what is cached on datatypes.

pub mod calls;
pub mod datatype;
pub mod keyval;
pub mod predefined;

pub use predefined::set_last_used_code;

use parking_lot::Mutex;

use super::callback;
use super::constant::Handle;
use super::error::{Error, Result, registry};
use super::handle::Kind;

/// The attributes of one object, in the order in which they were set.
#[derive(Default)]
pub struct Set(Mutex<Vec<Entry>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    keyval: i32,
    value: usize,
}

/// An object with attributes, as callbacks need it. No lock is held while one runs.
#[derive(Clone, Copy)]
pub struct Owner<'a> {
    /// What kind of object.
    pub kind: Kind,
    /// Its handle.
    pub handle: Handle,
    /// Its attributes.
    pub set: &'a Set,
}

impl Set {
    fn find(&self, keyval: i32) -> Option<usize> {
        self.0.lock().iter().find(|e| e.keyval == keyval).map(|e| e.value)
    }

    fn insert(&self, keyval: i32, value: usize) {
        let mut entries = self.0.lock();
        match entries.iter().position(|e| e.keyval == keyval) {
            Some(at) => drop(entries.remove(at)),
            None => keyval::retain(keyval),
        }
        entries.push(Entry { keyval, value });
    }

    fn remove(&self, keyval: i32) {
        let mut entries = self.0.lock();
        if let Some(at) = entries.iter().position(|e| e.keyval == keyval) {
            entries.remove(at);
            drop(entries);
            keyval::release(keyval);
        }
    }

    fn last(&self) -> Option<Entry> {
        self.0.lock().last().copied()
    }
}

impl Drop for Set {
    fn drop(&mut self) {
        self.0.get_mut().drain(..).for_each(|e| keyval::release(e.keyval));
    }
}

impl Owner<'_> {
    /// The value of an attribute.
    pub fn get(&self, keyval: i32) -> Result<Option<usize>> {
        keyval::get(self.kind, keyval)?;
        Ok(self.set.find(keyval))
    }

    /// Sets an attribute; an old value is deleted first, and stays when its delete function fails.
    pub fn put(&self, keyval: i32, value: usize) -> Result<()> {
        keyval::get(self.kind, keyval)?;
        if let Some(old) = self.set.find(keyval) {
            self.call_delete(keyval, old)?;
        }
        self.set.insert(keyval, value);
        Ok(())
    }

    /// Deletes an attribute, if it is set.
    pub fn delete(&self, keyval: i32) -> Result<()> {
        keyval::get(self.kind, keyval)?;
        if let Some(old) = self.set.find(keyval) {
            self.call_delete(keyval, old)?;
            self.set.remove(keyval);
        }
        Ok(())
    }

    /// Deletes all attributes, the youngest first. Stops at a delete function that fails; its attribute stays.
    pub fn clear(&self) -> Result<()> {
        while let Some(entry) = self.set.last() {
            self.call_delete(entry.keyval, entry.value)?;
            self.set.remove(entry.keyval);
        }
        Ok(())
    }

    /// Deletes all attributes of an object that was not made in the end, whatever the delete functions say.
    pub fn give_up(&self) {
        while let Some(entry) = self.set.last() {
            let _ = self.call_delete(entry.keyval, entry.value);
            self.set.remove(entry.keyval);
        }
    }

    /// What a duplicate of this object starts with. On failure: the error, and what was copied before it.
    pub fn copy(&self) -> (Set, Result<()>) {
        let (new, entries) = (Set::default(), self.set.0.lock().clone());
        let outcome = entries.iter().try_for_each(|&entry| {
            if let Some(value) = self.call_copy(entry)? {
                new.insert(entry.keyval, value);
            }
            Ok(())
        });
        (new, outcome)
    }

    fn call_delete(&self, key: i32, value: usize) -> Result<()> {
        let Some(keyval) = keyval::find(key) else { return Ok(()) };
        if keyval.delete == keyval::NULL_FUNCTION {
            return Ok(());
        }
        outcome(callback::face().delete_attribute(keyval.delete, self.kind, self.handle, key, value, keyval.extra), "delete")
    }

    fn call_copy(&self, entry: Entry) -> Result<Option<usize>> {
        let Some(keyval) = keyval::find(entry.keyval) else { return Ok(None) };
        match keyval.copy {
            keyval::NULL_FUNCTION => return Ok(None),
            keyval::DUP_FUNCTION => return Ok(Some(entry.value)),
            _ => {}
        }
        let (code, value, flag) =
            callback::face().copy_attribute(keyval.copy, self.kind, self.handle, entry.keyval, keyval.extra, entry.value);
        outcome(code, "copy")?;
        Ok(flag.then_some(value))
    }
}

fn outcome(code: i32, which: &str) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    Err(Error::with_code(code, format!("the attribute's {which} function returned {code} ({})", registry::describe(code))))
}

#[cfg(test)]
pub mod tests;
