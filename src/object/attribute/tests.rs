// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of attributes with a face that writes down what it is asked.

use parking_lot::Mutex;

use super::keyval::{DUP_FUNCTION, NULL_FUNCTION, comm_create_keyval, comm_free_keyval};
use super::*;
use crate::object::callback::Callbacks;
use crate::object::constant::KEYVAL_INVALID;
use crate::object::status::Status;

/// Functions that the fake face knows: double the value, keep nothing, fail, note the deletion.
const DOUBLE: usize = 16;
const DECLINE: usize = 17;
const FAIL: usize = 18;
const NOTE: usize = 19;

/// The face of all unit tests: only one can be registered.
pub struct Fake;
static DELETED: Mutex<Vec<(Handle, usize, usize)>> = Mutex::new(Vec::new());

impl Callbacks for Fake {
    fn op(&self, f: usize, large: bool, input: *mut u8, inout: *mut u8, len: i64, datatype: Handle) {
        // SAFETY: tests of operations pass a function of this type.
        let f = unsafe { std::mem::transmute::<usize, fn(bool, *mut u8, *mut u8, i64, Handle)>(f) };
        f(large, input, inout, len, datatype);
    }
    fn copy_attribute(&self, f: usize, _: Kind, _: Handle, _: i32, _: usize, value: usize) -> (i32, usize, bool) {
        match f {
            DOUBLE => (0, value * 2, true),
            DECLINE => (0, 0, false),
            _ => (FAIL as i32, 0, true),
        }
    }
    fn delete_attribute(&self, f: usize, _: Kind, object: Handle, _: i32, value: usize, extra: usize) -> i32 {
        if f == FAIL {
            return FAIL as i32;
        }
        DELETED.lock().push((object, value, extra));
        0
    }
    fn error_handler(&self, _: usize, _: Kind, _: Handle, _: i32) {}
    fn grequest_query(&self, _: usize, _: usize) -> (i32, Status) {
        (0, Status::EMPTY)
    }
    fn grequest_free(&self, _: usize, _: usize) -> i32 {
        0
    }
    fn grequest_cancel(&self, _: usize, _: usize, _: bool) -> i32 {
        0
    }
}

fn key(copy: usize, delete: usize) -> i32 {
    callback::register(&Fake);
    let mut keyval = KEYVAL_INVALID;
    comm_create_keyval(copy, delete, &mut keyval, 99).unwrap();
    keyval
}

fn owner(set: &Set, handle: Handle) -> Owner<'_> {
    Owner { kind: Kind::Comm, handle, set }
}

fn deleted(handle: Handle) -> Vec<usize> {
    DELETED.lock().iter().filter(|d| d.0 == handle && d.2 == 99).map(|d| d.1).collect()
}

#[test]
fn copies_follow_the_copy_functions() {
    let set = Set::default();
    let keys = [DOUBLE, DECLINE, NULL_FUNCTION, DUP_FUNCTION].map(|copy| key(copy, NULL_FUNCTION));
    keys.iter().for_each(|&k| owner(&set, 1).put(k, 21).unwrap());
    let (new, outcome) = owner(&set, 1).copy();
    outcome.unwrap();
    assert_eq!(keys.map(|k| owner(&new, 2).get(k).unwrap()), [Some(42), None, None, Some(21)]);
}

#[test]
fn a_failing_copy_function_is_an_error_with_its_code() {
    let set = Set::default();
    owner(&set, 1).put(key(FAIL, NULL_FUNCTION), 1).unwrap();
    assert_eq!(owner(&set, 1).copy().1.unwrap_err().code(), FAIL as i32);
}

#[test]
fn deletion_runs_backwards_and_on_replacement() {
    let (set, a, b) = (Set::default(), key(NULL_FUNCTION, NOTE), key(NULL_FUNCTION, NOTE));
    let me = owner(&set, 0x77);
    me.put(a, 1).unwrap();
    me.put(b, 2).unwrap();
    me.put(a, 3).unwrap();
    assert_eq!(deleted(0x77), [1]);
    me.clear().unwrap();
    assert_eq!(deleted(0x77), [1, 3, 2]);
    assert_eq!(me.get(a).unwrap(), None);
}

#[test]
fn a_failing_delete_function_keeps_the_attribute() {
    let (set, k) = (Set::default(), key(NULL_FUNCTION, FAIL));
    let me = owner(&set, 1);
    me.put(k, 5).unwrap();
    assert_eq!(me.delete(k).unwrap_err().code(), FAIL as i32);
    assert!(me.put(k, 6).is_err() && me.clear().is_err());
    assert_eq!(me.get(k).unwrap(), Some(5));
}

#[test]
fn a_freed_key_lives_while_attributes_use_it() {
    let (set, k) = (Set::default(), key(NULL_FUNCTION, NULL_FUNCTION));
    owner(&set, 1).put(k, 5).unwrap();
    for mut again in [k, k] {
        comm_free_keyval(&mut again).unwrap();
        assert_eq!(again, KEYVAL_INVALID);
    }
    assert_eq!(owner(&set, 1).get(k).unwrap(), Some(5));
    drop(set);
    assert!(keyval::find(k).is_none());
    let wrong = Owner { kind: Kind::Win, handle: 1, set: &Set::default() };
    assert!(wrong.get(key(0, 0)).is_err());
}
