// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names and sentences of MPI's error classes (MPI 5.0, section 9.4; the wording is ours).

use super::Class;

macro_rules! classes {
    ($($class:ident $name:literal $text:literal;)*) => {
        /// Every class of the standard: class, name, sentence.
        pub static CLASSES: &[(Class, &str, &str)] = &[$((Class::$class, $name, $text)),*];
    };
}

classes! {
    Success "MPI_SUCCESS" "no error";
    Buffer "MPI_ERR_BUFFER" "the buffer's address cannot be used";
    Count "MPI_ERR_COUNT" "a count is negative or too large";
    Type "MPI_ERR_TYPE" "the datatype cannot be used here";
    Tag "MPI_ERR_TAG" "the tag is outside its range";
    Comm "MPI_ERR_COMM" "the communicator cannot be used here";
    Rank "MPI_ERR_RANK" "the rank names no process of the communicator or group";
    Request "MPI_ERR_REQUEST" "the request cannot be used here";
    Root "MPI_ERR_ROOT" "the root names no process of the communicator";
    Group "MPI_ERR_GROUP" "the group cannot be used here";
    Op "MPI_ERR_OP" "the operation is not defined, or not for this datatype";
    Topology "MPI_ERR_TOPOLOGY" "the communicator has no such topology, or the topology does not fit";
    Dims "MPI_ERR_DIMS" "the dimensions cannot be used";
    Arg "MPI_ERR_ARG" "an argument has a value that is not allowed";
    Unknown "MPI_ERR_UNKNOWN" "an error of unknown kind";
    Truncate "MPI_ERR_TRUNCATE" "the message is longer than the receive buffer";
    Other "MPI_ERR_OTHER" "an error that fits no other class";
    Intern "MPI_ERR_INTERN" "an error inside the MPI library";
    Pending "MPI_ERR_PENDING" "the operation is neither complete nor failed";
    InStatus "MPI_ERR_IN_STATUS" "the error codes are in the statuses";
    Access "MPI_ERR_ACCESS" "access to the file is not permitted";
    Amode "MPI_ERR_AMODE" "the access mode cannot be used to open the file";
    Assert "MPI_ERR_ASSERT" "the assertion argument has a value that is not allowed";
    BadFile "MPI_ERR_BAD_FILE" "the file name cannot be used";
    Base "MPI_ERR_BASE" "the base address was not allocated by MPI_Alloc_mem";
    Conversion "MPI_ERR_CONVERSION" "a user's data conversion function failed";
    Disp "MPI_ERR_DISP" "the displacement cannot be used";
    DupDatarep "MPI_ERR_DUP_DATAREP" "a data representation of this name exists already";
    FileExists "MPI_ERR_FILE_EXISTS" "the file exists already";
    FileInUse "MPI_ERR_FILE_IN_USE" "the file is open elsewhere";
    File "MPI_ERR_FILE" "the file handle cannot be used";
    InfoKey "MPI_ERR_INFO_KEY" "the info key is empty or too long";
    InfoNokey "MPI_ERR_INFO_NOKEY" "the info object has no such key";
    InfoValue "MPI_ERR_INFO_VALUE" "the info value is empty or too long";
    Info "MPI_ERR_INFO" "the info object cannot be used here";
    Io "MPI_ERR_IO" "input or output failed";
    Keyval "MPI_ERR_KEYVAL" "the attribute key cannot be used here";
    Locktype "MPI_ERR_LOCKTYPE" "the lock type has a value that is not allowed";
    Name "MPI_ERR_NAME" "the service name is not published";
    NoMem "MPI_ERR_NO_MEM" "memory is used up";
    NotSame "MPI_ERR_NOT_SAME" "an argument that must agree on all processes differs";
    NoSpace "MPI_ERR_NO_SPACE" "no space is left on the device";
    NoSuchFile "MPI_ERR_NO_SUCH_FILE" "the file does not exist";
    Port "MPI_ERR_PORT" "the port name cannot be used";
    Quota "MPI_ERR_QUOTA" "the quota is used up";
    ReadOnly "MPI_ERR_READ_ONLY" "the file or file system is read-only";
    RmaAttach "MPI_ERR_RMA_ATTACH" "the memory cannot be attached to the window";
    RmaConflict "MPI_ERR_RMA_CONFLICT" "accesses to the window conflict";
    RmaRange "MPI_ERR_RMA_RANGE" "the target memory lies outside the window";
    RmaShared "MPI_ERR_RMA_SHARED" "the memory cannot be shared";
    RmaSync "MPI_ERR_RMA_SYNC" "the calls that synchronise the window are in the wrong order";
    Service "MPI_ERR_SERVICE" "the service name was not published by this job";
    Size "MPI_ERR_SIZE" "the size has a value that is not allowed";
    Spawn "MPI_ERR_SPAWN" "processes could not be started";
    UnsupportedDatarep "MPI_ERR_UNSUPPORTED_DATAREP" "the data representation is not supported";
    UnsupportedOperation "MPI_ERR_UNSUPPORTED_OPERATION" "the operation is not supported";
    Win "MPI_ERR_WIN" "the window cannot be used here";
    RmaFlavor "MPI_ERR_RMA_FLAVOR" "the window has the wrong flavour for this call";
    ProcAborted "MPI_ERR_PROC_ABORTED" "a process of the communicator has ended";
    ValueTooLarge "MPI_ERR_VALUE_TOO_LARGE" "a value does not fit its argument";
    Session "MPI_ERR_SESSION" "the session cannot be used here";
    Errhandler "MPI_ERR_ERRHANDLER" "the error handler cannot be used here";
    Abi "MPI_ERR_ABI" "the program and the library disagree about the binary interface";
    ProcFailed "MPIX_ERR_PROC_FAILED" "a process of the communicator has failed";
    ProcFailedPending "MPIX_ERR_PROC_FAILED_PENDING" "a process that the operation may need has failed";
    Revoked "MPIX_ERR_REVOKED" "the communicator was revoked";
    TCannotInit "MPI_T_ERR_CANNOT_INIT" "the tool interface cannot be initialized";
    TNotAccessible "MPI_T_ERR_NOT_ACCESSIBLE" "the tool function is not accessible";
    TNotInitialized "MPI_T_ERR_NOT_INITIALIZED" "the tool interface is not initialized";
    TNotSupported "MPI_T_ERR_NOT_SUPPORTED" "the tool function is not supported";
    TMemory "MPI_T_ERR_MEMORY" "memory is used up";
    TInvalid "MPI_T_ERR_INVALID" "an argument of the tool function cannot be used";
    TInvalidIndex "MPI_T_ERR_INVALID_INDEX" "the index is out of range";
    TInvalidItem "MPI_T_ERR_INVALID_ITEM" "the item index is out of range";
    TInvalidSession "MPI_T_ERR_INVALID_SESSION" "the performance session cannot be used";
    TInvalidHandle "MPI_T_ERR_INVALID_HANDLE" "the tool handle cannot be used";
    TInvalidName "MPI_T_ERR_INVALID_NAME" "no variable or category has this name";
    TOutOfHandles "MPI_T_ERR_OUT_OF_HANDLES" "no more tool handles are available";
    TOutOfSessions "MPI_T_ERR_OUT_OF_SESSIONS" "no more performance sessions are available";
    TCvarSetNotNow "MPI_T_ERR_CVAR_SET_NOT_NOW" "the control variable cannot be set now";
    TCvarSetNever "MPI_T_ERR_CVAR_SET_NEVER" "the control variable cannot be set any more";
    TPvarNoWrite "MPI_T_ERR_PVAR_NO_WRITE" "the performance variable cannot be written";
    TPvarNoStartstop "MPI_T_ERR_PVAR_NO_STARTSTOP" "the performance variable cannot be started or stopped";
    TPvarNoAtomic "MPI_T_ERR_PVAR_NO_ATOMIC" "the performance variable cannot be read and reset at once";
}

/// Name and sentence of a class of the standard.
pub fn of(code: i32) -> Option<(&'static str, &'static str)> {
    CLASSES.iter().find(|row| row.0 as i32 == code).map(|row| (row.1, row.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_one_row() {
        for code in (0..=Class::Abi as i32).chain(Class::TCannotInit as i32..=Class::TPvarNoAtomic as i32) {
            assert_eq!(CLASSES.iter().filter(|row| row.0 as i32 == code).count(), 1, "class {code}");
        }
        assert_eq!(of(Class::Truncate as i32).unwrap().0, "MPI_ERR_TRUNCATE");
        assert_eq!(of(63), None);
    }
}
