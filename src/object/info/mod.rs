// SPDX-License-Identifier: MIT OR Apache-2.0
//! Info objects: ordered lists of key and value (MPI 5.0, chapter 10). [`environment`] what `MPI_INFO_ENV` says.

pub mod environment;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::callback;
use super::constant::{Handle, INFO_ENV, INFO_NULL, MAX_INFO_KEY, MAX_INFO_VAL};
use super::error::Result;
use super::handle::{Kind, Table};
use crate::err;

/// Keys and values in the order in which the keys were first set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entries(Vec<(String, String)>);

impl Entries {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// Sets or replaces a value.
    pub fn set(&mut self, key: &str, value: &str) {
        match self.0.iter_mut().find(|(k, _)| k == key) {
            Some((_, old)) => value.clone_into(old),
            None => self.0.push((key.to_owned(), value.to_owned())),
        }
    }

    /// Sets or replaces all values of `other`.
    pub fn merge(&mut self, other: &Entries) {
        other.0.iter().for_each(|(key, value)| self.set(key, value));
    }

    fn delete(&mut self, key: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|(k, _)| k != key);
        self.0.len() < before
    }
}

/// An info object.
pub type Info = Mutex<Entries>;

static TABLE: Table<Arc<Info>> = Table::new(Kind::Info);

/// Looks a handle up; an error of class `Info` when it names no info object.
pub fn get_object(handle: Handle) -> Result<&'static Arc<Info>> {
    if handle == INFO_ENV {
        return Ok(environment::object());
    }
    TABLE.get(handle).ok_or_else(|| match handle {
        INFO_NULL => err!(Info, "the info object is MPI_INFO_NULL"),
        _ => err!(Info, "the handle {handle:#x} names no info object (was it freed?)"),
    })
}

/// The entries of an info argument; none for `MPI_INFO_NULL`.
pub fn entries(handle: Handle) -> Result<Entries> {
    if handle == INFO_NULL { Ok(Entries::default()) } else { Ok(get_object(handle)?.lock().clone()) }
}

/// A new info object with these entries.
pub fn register(entries: Entries) -> Handle {
    TABLE.insert(Arc::new(Mutex::new(entries)))
}

fn changeable(handle: Handle) -> Result<&'static Arc<Info>> {
    if handle == INFO_ENV {
        return Err(err!(Info, "MPI_INFO_ENV cannot be changed"));
    }
    get_object(handle)
}

/// Bytes of a key that the face takes, with the final zero.
static LONGEST_KEY: AtomicUsize = AtomicUsize::new(MAX_INFO_KEY as usize);

/// Called by a face at load.
pub fn set_longest_key(bytes: usize) {
    LONGEST_KEY.store(bytes, Ordering::Relaxed);
}

fn check_key(key: &str) -> Result<()> {
    let most = LONGEST_KEY.load(Ordering::Relaxed) - 1;
    if key.is_empty() || key.len() > most {
        return Err(err!(InfoKey, "the key has {} bytes; 1 to {most} are allowed", key.len()));
    }
    Ok(())
}

/// Open MPI refuses empty values; MPICH takes them.
fn check_value(value: &str) -> Result<()> {
    let least = usize::from(callback::is_lenient());
    if value.len() < least || value.len() >= MAX_INFO_VAL as usize {
        return Err(err!(InfoValue, "the value has {} bytes; {least} to {} are allowed", value.len(), MAX_INFO_VAL - 1));
    }
    Ok(())
}

/// `MPI_Info_create`.
pub fn create(info: &mut Handle) -> Result<()> {
    *info = register(Entries::default());
    Ok(())
}

/// `MPI_Info_dup`.
pub fn dup(info: Handle, new: &mut Handle) -> Result<()> {
    let copy = get_object(info)?.lock().clone();
    *new = register(copy);
    Ok(())
}

/// `MPI_Info_free`.
pub fn free(info: &mut Handle) -> Result<()> {
    changeable(*info)?;
    TABLE.remove(*info);
    *info = INFO_NULL;
    Ok(())
}

/// `MPI_Info_set`.
pub fn set(info: Handle, key: &str, value: &str) -> Result<()> {
    let object = changeable(info)?;
    check_key(key)?;
    check_value(value)?;
    object.lock().set(key, value);
    Ok(())
}

/// `MPI_Info_delete`.
pub fn delete(info: Handle, key: &str) -> Result<()> {
    let object = changeable(info)?;
    check_key(key)?;
    if object.lock().delete(key) { Ok(()) } else { Err(err!(InfoNokey, "the key \"{key}\" is not in the info object")) }
}

/// `MPI_Info_get`: at most `valuelen` bytes of the value.
pub fn get(info: Handle, key: &str, valuelen: i32, value: &mut String, flag: &mut bool) -> Result<()> {
    let object = get_object(info)?;
    check_key(key)?;
    if valuelen < 0 {
        return Err(err!(Arg, "the length of the value's buffer is {valuelen}"));
    }
    let entries = object.lock();
    let found = entries.get(key);
    *flag = found.is_some();
    if let Some(found) = found {
        cut(found, valuelen as usize).clone_into(value);
    }
    Ok(())
}

/// `MPI_Info_get_string`: the size that the value needs with its final zero goes into `buflen`.
pub fn get_string(info: Handle, key: &str, buflen: &mut i32, value: &mut String, flag: &mut bool) -> Result<()> {
    let object = get_object(info)?;
    check_key(key)?;
    let entries = object.lock();
    let found = entries.get(key);
    *flag = found.is_some();
    if let Some(found) = found {
        cut(found, (*buflen - 1).max(0) as usize).clone_into(value);
        *buflen = found.len() as i32 + 1;
    }
    Ok(())
}

/// The first `limit` bytes, less what would be half a character.
fn cut(text: &str, limit: usize) -> &str {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// `MPI_Info_get_valuelen`: without the final zero.
pub fn get_valuelen(info: Handle, key: &str, valuelen: &mut i32, flag: &mut bool) -> Result<()> {
    let object = get_object(info)?;
    check_key(key)?;
    let length = object.lock().get(key).map(|v| v.len() as i32);
    *flag = length.is_some();
    *valuelen = length.unwrap_or(*valuelen);
    Ok(())
}

/// `MPI_Info_get_nkeys`.
pub fn get_nkeys(info: Handle, nkeys: &mut i32) -> Result<()> {
    *nkeys = get_object(info)?.lock().0.len() as i32;
    Ok(())
}

/// `MPI_Info_get_nthkey`.
pub fn get_nthkey(info: Handle, n: i32, key: &mut String) -> Result<()> {
    let entries = get_object(info)?.lock();
    let entry = usize::try_from(n).ok().and_then(|n| entries.0.get(n));
    let (name, _) = entry.ok_or_else(|| err!(Arg, "key number {n} does not exist; the info object has {}", entries.0.len()))?;
    name.clone_into(key);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> Handle {
        let mut info = 0;
        create(&mut info).unwrap();
        set(info, "a", "1").unwrap();
        set(info, "b", "twelve").unwrap();
        set(info, "a", "2").unwrap();
        info
    }

    #[test]
    fn keys_keep_their_order_and_values_change() {
        let info = made();
        let (mut n, mut key, mut value, mut flag, mut length) = (0, String::new(), String::new(), false, 0);
        get_nkeys(info, &mut n).unwrap();
        get_nthkey(info, 1, &mut key).unwrap();
        assert_eq!((n, key.as_str()), (2, "b"));
        get(info, "a", 10, &mut value, &mut flag).unwrap();
        assert_eq!((value.as_str(), flag), ("2", true));
        get(info, "b", 3, &mut value, &mut flag).unwrap();
        assert_eq!(value, "twe");
        get_valuelen(info, "b", &mut length, &mut flag).unwrap();
        assert_eq!(length, 6);
        let mut room = 4;
        get_string(info, "b", &mut room, &mut value, &mut flag).unwrap();
        assert_eq!((value.as_str(), room), ("twe", 7));
        get(info, "c", 3, &mut value, &mut flag).unwrap();
        assert!(!flag);
    }

    #[test]
    fn copies_are_their_own() {
        let (mut info, mut copy) = (made(), 0);
        dup(info, &mut copy).unwrap();
        delete(info, "a").unwrap();
        assert_eq!(get_object(copy).unwrap().lock().get("a"), Some("2"));
        assert_eq!(delete(info, "a").unwrap_err().code(), crate::object::error::Class::InfoNokey as i32);
        free(&mut info).unwrap();
        assert_eq!(info, INFO_NULL);
        assert!(get_object(info).is_err());
    }

    #[test]
    fn bad_keys_and_values_are_refused() {
        let info = made();
        assert!(set(info, "", "x").is_err() && set(info, "k", "").is_err());
        assert!(set(info, &"k".repeat(256), "x").is_err() && set(info, "k", &"v".repeat(1024)).is_err());
        assert!(set(INFO_ENV, "k", "v").is_err() && get_nthkey(info, 2, &mut String::new()).is_err());
    }
}
