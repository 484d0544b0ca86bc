// SPDX-License-Identifier: MIT OR Apache-2.0
//! Error classes, codes and strings that programs add (MPI 5.0, section 9.5), and the calls that read them.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use super::{Class, Result, text};
use crate::err;
use crate::object::constant::MAX_ERROR_STRING;

/// The largest code of the standard; added ones follow it.
pub const LAST_CODE: i32 = 0x3fff;

struct Added {
    class: i32,
    text: Option<String>,
}

static ADDED: Mutex<BTreeMap<i32, Added>> = Mutex::new(BTreeMap::new());
static NEXT: Mutex<i32> = Mutex::new(LAST_CODE + 1);

/// The largest code in use: the attribute `MPI_LASTUSEDCODE`.
pub fn last_used() -> i32 {
    *NEXT.lock() - 1
}

fn add(class: Option<i32>) -> i32 {
    let mut next = NEXT.lock();
    let code = *next;
    *next += 1;
    ADDED.lock().insert(code, Added { class: class.unwrap_or(code), text: None });
    crate::object::attribute::set_last_used_code(code);
    code
}

/// The class of a code; an unknown code is of class `MPI_ERR_UNKNOWN`.
pub fn class_of(code: i32) -> i32 {
    if text::of(code).is_some() {
        return code;
    }
    ADDED.lock().get(&code).map_or(Class::Unknown as i32, |a| a.class)
}

/// Codes up to the standard's last are MPI's, also those that it has not named (yet).
fn is_known(code: i32) -> bool {
    (0..=LAST_CODE).contains(&code) || ADDED.lock().contains_key(&code)
}

fn known(code: i32, what: &str) -> Result<()> {
    if is_known(code) { Ok(()) } else { Err(err!(Arg, "{what} {code} is neither MPI's nor added by the program")) }
}

fn added(code: i32, what: &str) -> Result<()> {
    if ADDED.lock().contains_key(&code) {
        return Ok(());
    }
    Err(err!(Arg, "{what} {code} was not added by the program, so it cannot be changed"))
}

/// `MPI_Error_class`.
pub fn error_class(code: i32, class: &mut i32) -> Result<()> {
    known(code, "error code")?;
    *class = class_of(code);
    Ok(())
}

/// `MPI_Error_string`.
pub fn error_string(code: i32, string: &mut String) -> Result<()> {
    known(code, "error code")?;
    *string = describe(code);
    LAST.lock().get(&code).inspect(|said| string.push_str(said));
    Ok(())
}

/// What the last call that failed with these codes said, in parentheses.
static LAST: Mutex<BTreeMap<i32, String>> = Mutex::new(BTreeMap::new());

/// The classes whose sentence alone leaves the user helpless: which call is not supported, what is wrong with which buffer.
const TELLING: [Class; 2] = [Class::UnsupportedOperation, Class::Buffer];

/// Remembers what a call that failed said: a program that prints the error's string shall show it.
#[cold]
pub fn note(code: i32, call: &str, text: &str) {
    if TELLING.iter().any(|class| *class as i32 == code) {
        let name = if text.starts_with(call) { String::new() } else { format!("{call}: ") };
        LAST.lock().insert(code, format!(" (the last: {name}{text})"));
    }
}

/// Name and sentence of any code, as `MPI_Error_string` gives them.
pub fn describe(code: i32) -> String {
    if let Some((name, sentence)) = text::of(code) {
        return format!("{name}: {sentence}");
    }
    if code <= LAST_CODE {
        return format!("error code {code}, which has no meaning in this version");
    }
    ADDED.lock().get(&code).and_then(|a| a.text.clone()).unwrap_or_default()
}

/// `MPI_Add_error_class`.
pub fn add_error_class(class: &mut i32) -> Result<()> {
    *class = add(None);
    Ok(())
}

/// `MPI_Add_error_code`.
pub fn add_error_code(class: i32, code: &mut i32) -> Result<()> {
    known(class, "error class")?;
    *code = add(Some(class_of(class)));
    Ok(())
}

/// `MPI_Add_error_string`.
pub fn add_error_string(code: i32, string: &str) -> Result<()> {
    added(code, "error code")?;
    if string.len() >= MAX_ERROR_STRING as usize {
        return Err(err!(Arg, "the error string has {} bytes; at most {} fit", string.len(), MAX_ERROR_STRING - 1));
    }
    if let Some(entry) = ADDED.lock().get_mut(&code) {
        entry.text = Some(string.to_owned());
    }
    Ok(())
}

/// `MPI_Remove_error_class`.
pub fn remove_error_class(class: i32) -> Result<()> {
    added(class, "error class")?;
    if ADDED.lock().iter().any(|(&code, a)| a.class == class && code != class) {
        return Err(err!(Arg, "error class {class} still has error codes; remove them first"));
    }
    remove(class, |a| a.class == class)
}

/// `MPI_Remove_error_code`.
pub fn remove_error_code(code: i32) -> Result<()> {
    added(code, "error code")?;
    remove(code, |a| a.class != code)
}

/// Removes what `fits` and has no string any more.
fn remove(code: i32, fits: impl Fn(&Added) -> bool) -> Result<()> {
    let mut map = ADDED.lock();
    match map.get(&code) {
        Some(entry) if !fits(entry) => Err(err!(Arg, "{code} is an error class or belongs to another one")),
        Some(entry) if entry.text.is_some() => Err(err!(Arg, "error code {code} still has a string; remove it first")),
        _ => {
            map.remove(&code);
            Ok(())
        }
    }
}

/// `MPI_Remove_error_string`.
pub fn remove_error_string(code: i32) -> Result<()> {
    added(code, "error code")?;
    if let Some(entry) = ADDED.lock().get_mut(&code) {
        entry.text = None;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_supported_is_named() {
        let mut string = String::new();
        let code = Class::UnsupportedOperation as i32;
        note(code, "MPI_Win_create", "MPI_Win_create is not implemented in Paceline yet");
        error_string(code, &mut string).unwrap();
        assert!(string.ends_with("(the last: MPI_Win_create is not implemented in Paceline yet)"), "{string}");
        note(Class::Tag as i32, "MPI_Send", "tag -7");
        error_string(Class::Tag as i32, &mut string).unwrap();
        assert!(!string.contains("-7"), "{string}");
    }

    #[test]
    fn added_codes_have_classes_and_strings() {
        let (mut class, mut code, mut found, mut string) = (0, 0, 0, String::new());
        add_error_class(&mut class).unwrap();
        add_error_code(class, &mut code).unwrap();
        assert!(class > LAST_CODE && code > class);
        error_class(code, &mut found).unwrap();
        assert_eq!(found, class);
        add_error_string(code, "out of tea").unwrap();
        error_string(code, &mut string).unwrap();
        assert_eq!(string, "out of tea");
        assert!(last_used() >= code);
        assert!(remove_error_class(class).is_err());
        assert!(remove_error_code(code).is_err());
        remove_error_string(code).unwrap();
        remove_error_code(code).unwrap();
        remove_error_class(class).unwrap();
        assert!(error_class(code, &mut found).is_err());
    }

    #[test]
    fn the_standards_own_codes_cannot_be_changed() {
        assert!(add_error_string(Class::Tag as i32, "x").is_err());
        assert_eq!(class_of(Class::Tag as i32), Class::Tag as i32);
        assert_eq!(class_of(12_345), Class::Unknown as i32);
    }
}
