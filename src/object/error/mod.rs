// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors inside the engine: a class (MPI 5.0, section 9.4, values of the standard ABI) and one sentence for the user.
//! [`text`] names and sentences of the classes · [`registry`] what programs add.

pub mod registry;
pub mod text;

use std::fmt;

use crate::object::status::Status;

/// What an engine function returns.
pub type Result<T> = std::result::Result<T, Error>;

/// MPI's error classes, with the standard ABI's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
#[allow(missing_docs)]
pub enum Class {
    Success = 0,
    Buffer = 1,
    Count = 2,
    Type = 3,
    Tag = 4,
    Comm = 5,
    Rank = 6,
    Request = 7,
    Root = 8,
    Group = 9,
    Op = 10,
    Topology = 11,
    Dims = 12,
    Arg = 13,
    Unknown = 14,
    Truncate = 15,
    Other = 16,
    Intern = 17,
    Pending = 18,
    InStatus = 19,
    Access = 20,
    Amode = 21,
    Assert = 22,
    BadFile = 23,
    Base = 24,
    Conversion = 25,
    Disp = 26,
    DupDatarep = 27,
    FileExists = 28,
    FileInUse = 29,
    File = 30,
    InfoKey = 31,
    InfoNokey = 32,
    InfoValue = 33,
    Info = 34,
    Io = 35,
    Keyval = 36,
    Locktype = 37,
    Name = 38,
    NoMem = 39,
    NotSame = 40,
    NoSpace = 41,
    NoSuchFile = 42,
    Port = 43,
    Quota = 44,
    ReadOnly = 45,
    RmaAttach = 46,
    RmaConflict = 47,
    RmaRange = 48,
    RmaShared = 49,
    RmaSync = 50,
    Service = 51,
    Size = 52,
    Spawn = 53,
    UnsupportedDatarep = 54,
    UnsupportedOperation = 55,
    Win = 56,
    RmaFlavor = 57,
    ProcAborted = 58,
    ValueTooLarge = 59,
    Session = 60,
    Errhandler = 61,
    Abi = 62,
    ProcFailed = 101,
    ProcFailedPending = 102,
    Revoked = 103,
    TCannotInit = 1001,
    TNotAccessible = 1002,
    TNotInitialized = 1003,
    TNotSupported = 1004,
    TMemory = 1005,
    TInvalid = 1006,
    TInvalidIndex = 1007,
    TInvalidItem = 1008,
    TInvalidSession = 1009,
    TInvalidHandle = 1010,
    TInvalidName = 1011,
    TOutOfHandles = 1012,
    TOutOfSessions = 1013,
    TCvarSetNotNow = 1014,
    TCvarSetNever = 1015,
    TPvarNoWrite = 1016,
    TPvarNoStartstop = 1017,
    TPvarNoAtomic = 1018,
}

/// An error: its code (a class, or a code the user added), and a sentence that says what to do.
/// Boxed so that a `Result` stays small on the hot path.
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    code: i32,
    text: String,
    context: Option<u32>,
    status: Option<Status>,
    device_at: Option<i32>,
    refusal: bool,
}

impl Error {
    /// An error of a class, with its sentence (no trailing full stop, no function name: the face adds both).
    #[cold]
    pub fn new(class: Class, text: impl Into<String>) -> Error {
        Error::with_code(class as i32, text)
    }

    /// An error whose code came from the user (callbacks, `MPI_Add_error_code`).
    #[cold]
    pub fn with_code(code: i32, text: impl Into<String>) -> Error {
        Error(Box::new(Inner { code, text: text.into(), context: None, status: None, device_at: None, refusal: false }))
    }

    /// The same error, of an operation in this context: its communicator's handler gets it, also where the call names
    /// no communicator (waiting for a request).
    #[cold]
    pub fn in_context(mut self, context: u32) -> Error {
        self.0.context = Some(context);
        self
    }

    /// The context of the operation that failed, if it is known.
    pub fn context(&self) -> Option<u32> {
        self.0.context
    }

    /// The same error of an operation that reports a status all the same (a truncated receive has a source and a tag).
    pub fn with_status(mut self, status: Status) -> Error {
        self.0.status = Some(status);
        self
    }

    /// What the failed operation reports, if anything.
    pub fn status(&self) -> Option<Status> {
        self.0.status
    }

    /// The same error, whose reason is another rank's device.
    pub fn of_device_at(mut self, rank: i32) -> Error {
        self.0.device_at = Some(rank);
        self
    }

    /// The other rank whose device is the reason.
    pub fn device_at(&self) -> Option<i32> {
        self.0.device_at
    }

    /// The same error, for which a collective call did nothing: other ranks may wait in it for this one.
    #[cold]
    pub fn refusing(mut self) -> Error {
        self.0.refusal = true;
        self
    }

    /// Whether other ranks may wait for this one in the call that failed.
    pub fn is_refusal(&self) -> bool {
        self.0.refusal
    }

    /// The error code, in the standard ABI's numbering.
    pub fn code(&self) -> i32 {
        self.0.code
    }

    /// The sentence.
    pub fn text(&self) -> &str {
        &self.0.text
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error {}: {}", self.0.code, self.0.text)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

/// `err!(Tag, "tag {tag} is negative")`: an `Error` of that class.
#[macro_export]
macro_rules! err {
    ($class:ident, $($text:tt)+) => {
        $crate::object::error::Error::new($crate::object::error::Class::$class, format!($($text)+))
    };
}
