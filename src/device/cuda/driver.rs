// SPDX-License-Identifier: MIT OR Apache-2.0
//! The CUDA driver's functions, as the program itself has loaded them: looked up in the `libcuda.so.1` that is mapped already,
//! never loaded by us. Each returns a plain number; 0 is success, and an unknown one is just a number.

use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

use crate::err;
use crate::object::error::{Error, Result};

/// An address of device memory.
pub type Address = u64;
/// A context, stream, event, module or function of the driver.
pub type Object = usize;

/// `CUDA_ERROR_NOT_INITIALIZED`: the program has not called `cuInit`, so it has no device memory.
pub const NOT_INITIALIZED: u32 = 3;
/// `CUDA_ERROR_STUB_LIBRARY`.
pub const STUB: u32 = 34;
/// `CUDA_ERROR_NOT_READY`: not an error, the work is under way.
pub const NOT_READY: u32 = 600;
/// The oldest driver that is served: `cuIpcOpenMemHandle_v2` came with 11.0.
pub const OLDEST: i32 = 11_000;

/// A handle of memory that another process may open.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct IpcHandle(pub [u8; 64]);

/// `CUDA_MEMCPY2D`.
#[repr(C)]
#[allow(missing_docs)]
pub struct Copy2d {
    pub src_x: usize,
    pub src_y: usize,
    pub src_type: u32,
    pub src_host: *const c_void,
    pub src_device: Address,
    pub src_array: *mut c_void,
    pub src_pitch: usize,
    pub dst_x: usize,
    pub dst_y: usize,
    pub dst_type: u32,
    pub dst_host: *mut c_void,
    pub dst_device: Address,
    pub dst_array: *mut c_void,
    pub dst_pitch: usize,
    pub width: usize,
    pub height: usize,
}

macro_rules! functions {
    ($($name:ident = $symbol:literal $(or $older:literal)? ($($arg:ty),*);)*) => {
        /// The functions in use, by their names in the driver.
        #[allow(missing_docs)]
        pub struct Driver { $(pub $name: unsafe extern "C" fn($($arg),*) -> u32,)* }

        impl Driver {
            /// Looks all up; the error names the first that is missing.
            fn find(library: *mut c_void) -> std::result::Result<Driver, &'static str> {
                Ok(Driver { $($name: {
                    // SAFETY: the library is mapped; the name ends in a zero.
                    let find = |name: &'static str| unsafe { libc::dlsym(library, name.as_ptr().cast()) };
                    let found = find(concat!($symbol, "\0"));
                    $(let found = if found.is_null() { find(concat!($older, "\0")) } else { found };)?
                    if found.is_null() {
                        return Err($symbol);
                    }
                    // SAFETY: the driver's function of that name has this signature.
                    unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($arg),*) -> u32>(found) }
                },)* })
            }
        }
    };
}

functions! {
    driver_version = "cuDriverGetVersion" (*mut i32);
    error_name = "cuGetErrorName" (u32, *mut *const c_char);
    pointer_attributes = "cuPointerGetAttributes" (u32, *const u32, *mut *mut c_void, Address);
    address_range = "cuMemGetAddressRange_v2" (*mut Address, *mut usize, Address);
    device_get = "cuDeviceGet" (*mut i32, i32);
    device_uuid = "cuDeviceGetUuid_v2" or "cuDeviceGetUuid" (*mut [u8; 16], i32);
    init = "cuInit" (u32);
    device_count = "cuDeviceGetCount" (*mut i32);
    primary_retain = "cuDevicePrimaryCtxRetain" (*mut Object, i32);
    push = "cuCtxPushCurrent_v2" (Object);
    pop = "cuCtxPopCurrent_v2" (*mut Object);
    current_device = "cuCtxGetDevice" (*mut i32);
    stream_create = "cuStreamCreate" (*mut Object, u32);
    stream_query = "cuStreamQuery" (Object);
    stream_wait = "cuStreamWaitEvent" (Object, Object, u32);
    event_create = "cuEventCreate" (*mut Object, u32);
    event_record = "cuEventRecord" (Object, Object);
    event_query = "cuEventQuery" (Object);
    mem_alloc = "cuMemAlloc_v2" (*mut Address, usize);
    mem_free = "cuMemFree_v2" (Address);
    host_alloc = "cuMemHostAlloc" (*mut *mut c_void, usize, u32);
    host_free = "cuMemFreeHost" (*mut c_void);
    copy = "cuMemcpyAsync" (Address, Address, usize, Object);
    copy_2d = "cuMemcpy2DAsync_v2" (*const Copy2d, Object);
    ipc_export = "cuIpcGetMemHandle" (*mut IpcHandle, Address);
    ipc_open = "cuIpcOpenMemHandle_v2" (*mut Address, IpcHandle, u32);
    ipc_close = "cuIpcCloseMemHandle" (Address);
    module_load = "cuModuleLoadData" (*mut Object, *const c_void);
    module_function = "cuModuleGetFunction" (*mut Object, Object, *const c_char);
    launch = "cuLaunchKernel" (Object, u32, u32, u32, u32, u32, u32, u32, Object, *mut *mut c_void, *mut *mut c_void);
}

/// Tells the lives of a context apart, where the driver does (since 12.0).
type ContextId = unsafe extern "C" fn(Object, *mut u64) -> u32;

/// Swaps how the calls of a thread go with captures of streams into graphs.
type CaptureMode = unsafe extern "C" fn(*mut u32) -> u32;
/// `CU_STREAM_CAPTURE_MODE_RELAXED`.
const RELAXED: u32 = 2;

/// The driver and its version (12040 is 12.4).
pub struct Loaded {
    functions: Driver,
    /// The version.
    pub version: i32,
    context_id: Option<ContextId>,
}

static DRIVER: OnceLock<std::result::Result<Loaded, String>> = OnceLock::new();

/// Whether the program has mapped the driver. Loads nothing.
pub fn is_mapped() -> bool {
    !mapped().is_null()
}

fn mapped() -> *mut c_void {
    // SAFETY: `RTLD_NOLOAD` only asks; the handle is kept, so what it leads to stays mapped.
    unsafe { libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_NOLOAD | libc::RTLD_LAZY) }
}

/// Takes the driver over from the program, once; the error is the reason why it cannot be used.
pub fn load() -> std::result::Result<&'static Loaded, &'static str> {
    DRIVER.get_or_init(take_over).as_ref().map_err(String::as_str)
}

fn take_over() -> std::result::Result<Loaded, String> {
    let functions = Driver::find(mapped()).map_err(|name| format!("it has no {name}: it is too old or broken"))?;
    let mut version = 0;
    // SAFETY: writes an int.
    match unsafe { (functions.driver_version)(&mut version) } {
        0 if version >= OLDEST => Ok(Loaded { functions, version, context_id: context_id() }),
        0 => Err(format!("its version {}.{} is older than 11.0", version / 1000, version % 1000 / 10)),
        STUB => Err("it is the stub library of the CUDA toolkit, not the driver".into()),
        code => Err(format!("cuDriverGetVersion failed with {code}")),
    }
}

fn context_id() -> Option<ContextId> {
    // SAFETY: as in `Driver::find`; a function of that name has this signature.
    unsafe { std::mem::transmute::<*mut c_void, Option<ContextId>>(libc::dlsym(mapped(), c"cuCtxGetId".as_ptr())) }
}

/// What tells a context from an earlier one with the same handle; 0 where the driver does not say.
pub fn life_of(context: Object) -> u64 {
    let mut id = 0;
    if let Some(Ok(Loaded { context_id: Some(get), .. })) = DRIVER.get() {
        // SAFETY: writes the number, or fails for a context that is gone.
        unsafe { get(context, &mut id) };
    }
    id
}

/// Calls of this thread neither fail nor end a capture that another thread makes meanwhile, where the driver can tell (since 10.1).
pub fn relax_captures() {
    let mut mode = RELAXED;
    // SAFETY: as in `Driver::find`; a function of that name has this signature, and swaps the mode.
    unsafe {
        let swap = libc::dlsym(mapped(), c"cuThreadExchangeStreamCaptureMode".as_ptr());
        if let Some(swap) = std::mem::transmute::<*mut c_void, Option<CaptureMode>>(swap) {
            swap(&mut mode);
        }
    }
}

/// The functions. Only after [`load`] succeeded.
#[inline]
pub fn driver() -> &'static Driver {
    match DRIVER.get() {
        Some(Ok(loaded)) => &loaded.functions,
        _ => unreachable!("no device address exists without the driver"),
    }
}

/// The driver's version; 0 when there is none.
pub fn version() -> i32 {
    DRIVER.get().and_then(|d| d.as_ref().ok()).map_or(0, |loaded| loaded.version)
}

/// An error unless a call succeeded.
#[inline]
pub fn check(what: &str, code: u32) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(failed(what, code)) }
}

#[cold]
fn failed(what: &str, code: u32) -> Error {
    err!(Other, "{what} failed: {}", name_of(code))
}

/// A code's name in the driver.
pub fn name_of(code: u32) -> String {
    let mut name = std::ptr::null();
    // SAFETY: writes a pointer to a constant string of the driver, or leaves it null.
    let found = unsafe { (driver().error_name)(code, &mut name) };
    if found != 0 || name.is_null() {
        return format!("error {code}");
    }
    // SAFETY: a string constant of the driver.
    format!("{} ({code})", unsafe { CStr::from_ptr(name) }.to_string_lossy())
}
