// SPDX-License-Identifier: MIT OR Apache-2.0
//! `libpmix.so.2`, loaded at run time: the few types and calls of it that a client needs. The layouts are those of
//! `pmix_common.h`, the same in PMIx 4 and 5 (a test compares them with the installed header).

use crate::err;
use crate::object::error::Result;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::PathBuf;

/// `PMIX_SUCCESS`.
pub const SUCCESS: c_int = 0;
/// `PMIX_ERR_LOST_CONNECTION`: the server is gone.
pub const LOST_CONNECTION: c_int = -61;
/// `PMIX_EVENT_ACTION_COMPLETE`: no other handler needs to look.
pub const ACTION_COMPLETE: c_int = -334;
/// `PMIX_RANK_WILDCARD`: the job as a whole.
pub const WILDCARD: u32 = u32::MAX - 1;
/// `PMIX_GLOBAL`: shared with all processes of the job.
pub const GLOBAL: u8 = 3;
/// `PMIX_BOOL`, `PMIX_STRING`, `PMIX_INT`, `PMIX_UINT32`: kinds of a value.
pub const BOOL: u16 = 1;
#[allow(missing_docs)]
pub const STRING: u16 = 3;
#[allow(missing_docs)]
pub const INT: u16 = 6;
#[allow(missing_docs)]
pub const UINT32: u16 = 14;

/// `pmix_proc_t`: a process, by name space and rank.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Process {
    /// Name space, ended by NUL.
    pub space: [c_char; 256],
    /// Rank in it.
    pub rank: u32,
}

/// The members of `pmix_value_t`'s union that we use; `room` gives it its size.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub union Data {
    pub flag: bool,
    pub string: *mut c_char,
    pub integer: c_int,
    pub uint32: u32,
    pub room: [u64; 3],
}

/// `pmix_value_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Value {
    /// Which member of the union holds.
    pub kind: u16,
    /// The value.
    pub data: Data,
}

/// `pmix_info_t`: a key with a value, given to a call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Info {
    /// Key, ended by NUL.
    pub key: [c_char; 512],
    /// `pmix_info_directives_t`.
    pub flags: u32,
    /// Value.
    pub value: Value,
}

impl Info {
    /// A pair for a call.
    pub fn new(key: &CStr, kind: u16, data: Data) -> Info {
        let mut info = Info { key: [0; 512], flags: 0, value: Value { kind, data } };
        for (to, from) in info.key.iter_mut().zip(key.to_bytes()) {
            *to = *from as c_char;
        }
        info
    }
}

type Init = unsafe extern "C" fn(*mut Process, *const Info, usize) -> c_int;
type Finalize = unsafe extern "C" fn(*const Info, usize) -> c_int;
type Abort = unsafe extern "C" fn(c_int, *const c_char, *const Process, usize) -> c_int;
type Put = unsafe extern "C" fn(u8, *const c_char, *mut Value) -> c_int;
type Commit = unsafe extern "C" fn() -> c_int;
type Fence = unsafe extern "C" fn(*const Process, usize, *const Info, usize) -> c_int;
type Get = unsafe extern "C" fn(*const Process, *const c_char, *const Info, usize, *mut *mut Value) -> c_int;
type Register = unsafe extern "C" fn(*const c_int, usize, *const Info, usize, Handler, *const c_void, *const c_void) -> c_int;
type ErrorString = unsafe extern "C" fn(c_int) -> *const c_char;
type Version = unsafe extern "C" fn() -> *const c_char;

/// `pmix_notification_fn_t`: called on PMIx's own thread when something happens.
pub type Handler = unsafe extern "C" fn(
    usize,
    c_int,
    *const Process,
    *const Info,
    usize,
    *const Info,
    usize,
    Option<unsafe extern "C" fn(c_int, *const Info, usize, *const c_void, *const c_void, *const c_void)>,
    *const c_void,
);

/// The loaded library. The pointers live as long as the process: the library has threads of its own, so it is never unloaded.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Library {
    pub init: Init,
    pub finalize: Finalize,
    pub abort: Abort,
    pub put: Put,
    pub commit: Commit,
    pub fence: Fence,
    pub get: Get,
    pub register: Register,
    error_string: ErrorString,
    version: Version,
}

impl Library {
    /// Loads the launcher's own library where the environment tells its place, else the one on the loader's path.
    pub fn load() -> Result<Library> {
        let mut tried = Vec::new();
        for path in candidates() {
            // SAFETY: loading PMIx runs its initialisers, which is what loading it means; it is a library for this use.
            match unsafe { libloading::Library::new(&path) } {
                Ok(library) => return Library::resolve(library),
                Err(error) => tried.push(format!("{}: {error}", path.display())),
            }
        }
        Err(err!(Other, "libpmix.so.2 cannot be loaded; install it or put it on LD_LIBRARY_PATH ({})", tried.join("; ")))
    }

    fn resolve(library: libloading::Library) -> Result<Library> {
        let library = Box::leak(Box::new(library));
        // SAFETY: the signatures above are those of pmix.h for these names.
        unsafe {
            Ok(Library {
                init: symbol(library, c"PMIx_Init")?,
                finalize: symbol(library, c"PMIx_Finalize")?,
                abort: symbol(library, c"PMIx_Abort")?,
                put: symbol(library, c"PMIx_Put")?,
                commit: symbol(library, c"PMIx_Commit")?,
                fence: symbol(library, c"PMIx_Fence")?,
                get: symbol(library, c"PMIx_Get")?,
                register: symbol(library, c"PMIx_Register_event_handler")?,
                error_string: symbol(library, c"PMIx_Error_string")?,
                version: symbol(library, c"PMIx_Get_version")?,
            })
        }
    }

    /// The library's own version.
    pub fn version(&self) -> String {
        // SAFETY: takes no argument and returns a static string.
        unsafe { text((self.version)()) }
    }

    /// Success, or an error that says what was tried.
    pub fn check(&self, status: c_int, what: &str) -> Result<()> {
        if status == SUCCESS {
            return Ok(());
        }
        // SAFETY: any status is allowed; returns a static string.
        let reason = unsafe { text((self.error_string)(status)) };
        Err(err!(Other, "{what} failed: {reason} ({status})"))
    }
}

/// # Safety
/// `T` must be the function-pointer type of the C function `name`.
unsafe fn symbol<T: Copy>(library: &'static libloading::Library, name: &CStr) -> Result<T> {
    // SAFETY: by the caller's word the type is right; the library is never unloaded.
    let found = unsafe { library.get::<T>(name.to_bytes_with_nul()) };
    found.map(|f| *f).map_err(|e| err!(Other, "libpmix.so.2 lacks {}: {e}", name.to_string_lossy()))
}

/// # Safety
/// `pointer` is NULL or a C string.
pub unsafe fn text(pointer: *const c_char) -> String {
    match pointer.is_null() {
        true => String::new(),
        // SAFETY: not NULL, so a C string by the caller's word.
        false => unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned(),
    }
}

/// Gives back what `PMIx_Get` returned: PMIx allocates values and their strings with malloc.
///
/// # Safety
/// `value` came from `PMIx_Get`, holds no nested objects, and is not used again.
pub unsafe fn release(value: *mut Value) {
    // SAFETY: by the caller's word.
    unsafe {
        if (*value).kind == STRING {
            libc::free((*value).data.string.cast::<c_void>());
        }
        libc::free(value.cast());
    }
}

/// The launcher's own library first: client and server of one version agree best.
fn candidates() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for name in ["PMIX_PREFIX", "OPAL_PREFIX"] {
        if let Some(prefix) = std::env::var_os(name) {
            let lib = PathBuf::from(prefix).join("lib");
            all.extend([lib.join("libpmix.so.2"), lib.join("openmpi/libpmix.so.2")].into_iter().filter(|p| p.exists()));
        }
    }
    all.extend(["libpmix.so.2", "libpmix.so"].map(PathBuf::from));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};
    use std::process::Command;

    const PROBE: &str = r#"
        #include <pmix.h>
        #include <stdio.h>
        #include <stddef.h>
        int main(void) {
            printf("%zu %zu %zu ", sizeof(pmix_proc_t), sizeof(pmix_value_t), sizeof(pmix_info_t));
            printf("%zu %zu ", offsetof(pmix_proc_t, rank), offsetof(pmix_value_t, data));
            printf("%zu %zu ", offsetof(pmix_info_t, flags), offsetof(pmix_info_t, value));
            printf("%u %d %d %d %d %d ", PMIX_RANK_WILDCARD, PMIX_GLOBAL, PMIX_BOOL, PMIX_STRING, PMIX_INT, PMIX_UINT32);
            printf("%d %d ", PMIX_ERR_LOST_CONNECTION, PMIX_EVENT_ACTION_COMPLETE);
            printf("%s %s %s\n", PMIX_JOB_SIZE, PMIX_COLLECT_DATA, PMIX_TIMEOUT);
            return 0;
        }"#;

    fn ours() -> String {
        let sizes = [size_of::<Process>(), size_of::<Value>(), size_of::<Info>()];
        let offsets = [offset_of!(Process, rank), offset_of!(Value, data), offset_of!(Info, flags), offset_of!(Info, value)];
        let numbers: Vec<String> = sizes.iter().chain(&offsets).map(usize::to_string).collect();
        let kinds = format!("{WILDCARD} {GLOBAL} {BOOL} {STRING} {INT} {UINT32} {LOST_CONNECTION} {ACTION_COMPLETE}");
        format!("{} {kinds} pmix.job.size pmix.collect pmix.timeout\n", numbers.join(" "))
    }

    /// Needs the header; a machine without it has nothing to compare with.
    #[test]
    fn layouts_are_those_of_the_header() {
        let header = "/usr/lib/x86_64-linux-gnu/pmix2/include";
        if !PathBuf::from(header).join("pmix.h").exists() {
            eprintln!("skipped: no pmix.h");
            return;
        }
        let folder = std::env::temp_dir().join(format!("paceline-pmix-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (source, program) = (folder.join("probe.c"), folder.join("probe"));
        std::fs::write(&source, PROBE).unwrap();
        let built = Command::new("cc").arg("-I").arg(header).arg(&source).arg("-o").arg(&program).status();
        let theirs = built.ok().filter(|s| s.success()).map(|_| Command::new(&program).output().unwrap().stdout);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(String::from_utf8(theirs.expect("the probe compiles")).unwrap(), ours());
    }
}
