// SPDX-License-Identifier: MIT OR Apache-2.0
//! Modules of PTX text, and the kernels in them.

use crate::call::{In, Out, driver};
use crate::code::{self, Result};
use crate::{beside, context, launch, stream};
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// A module.
struct Module {
    context: u64,
    text: Arc<str>,
}

/// A kernel of a module.
#[derive(Clone)]
pub struct Function {
    module: u64,
    /// The text of the module.
    pub text: Arc<str>,
    /// The kernel's name.
    pub name: String,
    /// Size in bytes of each parameter.
    pub parameters: Vec<usize>,
}

static MODULES: Mutex<BTreeMap<u64, Module>> = Mutex::new(BTreeMap::new());
static FUNCTIONS: Mutex<BTreeMap<u64, Function>> = Mutex::new(BTreeMap::new());
static NEXT: AtomicU64 = AtomicU64::new(0x30D0_0000_0000);

/// Unloads the modules of a context.
pub fn forget(context: u64) {
    MODULES.lock().unwrap().retain(|_, module| module.context != context);
    let modules = MODULES.lock().unwrap();
    FUNCTIONS.lock().unwrap().retain(|_, function| modules.contains_key(&function.module));
}

fn load(image: *const c_void) -> Result<u64> {
    let context = context::current()?.handle;
    if image.is_null() {
        return Err(code::INVALID_VALUE);
    }
    // SAFETY: the caller gives PTX as a C string; anything else begins with bytes that are not text, or ends at a zero too.
    let text = unsafe { CStr::from_ptr(image.cast()) }.to_str().map_err(|_| code::INVALID_IMAGE)?;
    if !text.contains(".version") || !text.contains(".target") {
        return Err(code::INVALID_IMAGE);
    }
    let handle = NEXT.fetch_add(64, Relaxed);
    MODULES.lock().unwrap().insert(handle, Module { context, text: text.into() });
    Ok(handle)
}

/// The sizes of the parameters of the kernel `name`.
fn parameters(text: &str, name: &str) -> Option<Vec<usize>> {
    let heads = text.match_indices(".entry").map(|(at, word)| text[at + word.len()..].trim_start());
    let list = heads.filter_map(|head| head.strip_prefix(name)).find_map(|rest| rest.trim_start().strip_prefix('('))?;
    let list = &list[..list.find(')')?];
    list.split(',').filter(|entry| entry.contains(".param")).map(size).collect()
}

/// The size of one parameter: `.param .u64 name`, `.param .align 8 .b8 name[24]`.
fn size(entry: &str) -> Option<usize> {
    let kind = entry.split_whitespace().find(|word| width(word).is_some())?;
    let count = entry.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    Some(width(kind)? * count.map_or(Some(1), |(count, _)| count.trim().parse().ok())?)
}

fn width(word: &str) -> Option<usize> {
    let bits = word.strip_prefix(['.'])?.strip_prefix(['u', 's', 'b', 'f'])?;
    bits.parse::<usize>().ok().filter(|bits| bits.is_power_of_two()).map(|bits| bits / 8)
}

/// The bytes of each argument of a launch.
fn arguments(function: &Function, places: In<*const u8>) -> Result<Vec<Vec<u8>>> {
    let one = |(at, size): (usize, &usize)| (0..*size).map(|byte| In(places.at(at)?.wrapping_add(byte)).get()).collect();
    function.parameters.iter().enumerate().map(one).collect()
}

driver! {
    /// Loads a module.
    fn cuModuleLoadData(out: Out<u64>, image: *const c_void) {
        out.put(load(image)?)
    }

    /// The same, with options for the compiler, which has none.
    fn cuModuleLoadDataEx(out: Out<u64>, image: *const c_void, _count: u32, _options: *const c_void, _values: *const c_void) {
        out.put(load(image)?)
    }

    /// Unloads a module.
    fn cuModuleUnload(handle: u64) {
        context::current()?;
        MODULES.lock().unwrap().remove(&handle).ok_or(code::INVALID_HANDLE)?;
        FUNCTIONS.lock().unwrap().retain(|_, function| function.module != handle);
        Ok(())
    }

    /// A kernel of a module.
    fn cuModuleGetFunction(out: Out<u64>, module: u64, name: *const c_char) {
        let text = MODULES.lock().unwrap().get(&module).ok_or(code::INVALID_HANDLE)?.text.clone();
        if name.is_null() {
            return Err(code::INVALID_VALUE);
        }
        // SAFETY: the caller gives a C string.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
        let parameters = parameters(&text, &name).ok_or(code::NOT_FOUND)?;
        let handle = NEXT.fetch_add(64, Relaxed);
        FUNCTIONS.lock().unwrap().insert(handle, Function { module, text, name, parameters });
        out.put(handle)
    }

    /// An attribute of a kernel: MAX_THREADS_PER_BLOCK (0) and NUM_REGS (4); the rest are 0.
    fn cuFuncGetAttribute(out: Out<i32>, attribute: i32, function: u64) {
        FUNCTIONS.lock().unwrap().get(&function).ok_or(code::INVALID_HANDLE)?;
        out.put(match attribute { 0 => 1024, 4 => 32, _ => 0 })
    }

    /// How many blocks of a kernel run at once on a multiprocessor.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(out: Out<i32>, function: u64, threads: i32, _shared: usize) {
        FUNCTIONS.lock().unwrap().get(&function).ok_or(code::INVALID_HANDLE)?;
        out.put(2048 / threads.max(1))
    }

    /// Starts a kernel in a stream.
    fn cuLaunchKernel(
        function: u64, grid_x: u32, grid_y: u32, grid_z: u32, block_x: u32, block_y: u32, block_z: u32,
        _shared: u32, stream: u64, places: In<*const u8>, extra: *const c_void,
    ) {
        let stream = stream::current(stream)?;
        let kernel = FUNCTIONS.lock().unwrap().get(&function).cloned().ok_or(code::INVALID_HANDLE)?;
        let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
        let threads: u64 = block.iter().map(|count| u64::from(*count)).product();
        if !extra.is_null() || grid.contains(&0) || !(1..=1024).contains(&threads) {
            return Err(code::INVALID_VALUE);
        }
        let arguments = arguments(&kernel, places)?;
        launch::check(&kernel)?;
        let context = context::current()?;
        let number = stream.handle;
        stream.submit(move || beside::kernel(number, || launch::run(&kernel, grid, block, &arguments, &context)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_from_the_text() {
        let text = ".visible .entry first(\n.param .u64 first_0,\n.param .u32 first_1)\n{ }\n.entry second_(.param .align 8 .b8 x[24]) {}";
        assert_eq!(parameters(text, "first"), Some(vec![8, 4]));
        assert_eq!(parameters(text, "second_"), Some(vec![24]));
        assert_eq!(parameters(text, "second"), None);
    }
}
