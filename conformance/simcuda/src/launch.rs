// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs kernels: their PTX, on the processor.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use ptx::{Memory, Module, Region};

use crate::code::{self, Result, fatal};
use crate::context::Context;
use crate::module::Function;
use crate::{address, host, memory};

/// A module's text, parsed once: texts are few and live as long as the process.
fn parsed(text: &Arc<str>) -> std::result::Result<Arc<Module>, String> {
    static PARSED: Mutex<Option<HashMap<Arc<str>, Arc<Module>>>> = Mutex::new(None);
    let mut parsed = PARSED.lock().unwrap();
    let known = parsed.get_or_insert_default();
    if let Some(module) = known.get(text) {
        return Ok(module.clone());
    }
    let module = Arc::new(Module::parse(text).map_err(|refusal| refusal.to_string())?);
    known.insert(text.clone(), module.clone());
    Ok(module)
}

/// Whether a kernel can be run; a module that uses what the interpreter does not know cannot.
pub fn check(kernel: &Function) -> Result {
    let module = parsed(&kernel.text).map_err(|reason| {
        eprintln!("simcuda: {reason}");
        code::INVALID_PTX
    })?;
    module.kernel(&kernel.name).map(|_| ()).ok_or(code::NOT_FOUND)
}

/// Runs `grid` times `block` threads of a kernel.
pub fn run(kernel: &Function, grid: [u32; 3], block: [u32; 3], arguments: &[Vec<u8>], context: &Context) {
    let module = parsed(&kernel.text).unwrap_or_else(|reason| fatal(&reason));
    let Some(code) = module.kernel(&kernel.name) else { fatal(&format!("the kernel {} is gone", kernel.name)) };
    let mut parameters = vec![0; code.parameter_bytes()];
    for (place, argument) in code.parameters.iter().zip(arguments) {
        parameters[place.offset..][..place.size].copy_from_slice(argument);
    }
    let mut reach = Reach { who: format!("the kernel {}", kernel.name), context, held: Vec::new() };
    if let Err(fault) = code.launch(grid, block, &parameters, &mut reach) {
        fatal(&format!("the kernel {fault}"));
    }
}

/// What a kernel may touch: allocations of the device, and pinned memory of the host.
struct Reach<'c> {
    who: String,
    context: &'c Context,
    /// Kept until the kernel has ended, so that a free meanwhile takes no memory away under it.
    held: Vec<Arc<memory::Range>>,
}

// SAFETY: the shadow of a range is mapped as long as the range is held. Pinned memory of the host stays until the program
// frees it, which is defined only after the kernel has ended; freeing waits for the context.
unsafe impl Memory for Reach<'_> {
    fn region(&mut self, address: u64) -> Option<Region> {
        if !address::is_device(address) {
            let pinned = host::find(address)?;
            return Some(Region { start: pinned.base, length: pinned.bytes as u64, host: pinned.base as *mut u8 });
        }
        let range = memory::find(address)?;
        range.check(&self.who);
        if range.kind != memory::Kind::Managed && !self.context.reaches(range.device) {
            fatal(&format!(
                "{} of device {} touches memory of device {} at {address:#x}, which it does not reach",
                self.who, self.context.device, range.device
            ));
        }
        self.held.push(range.clone());
        Some(Region { start: range.base, length: range.bytes as u64, host: address::shadow(range.base) })
    }
}
