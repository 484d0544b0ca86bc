// SPDX-License-Identifier: MIT OR Apache-2.0
//! Kernels: modules loaded on first use, and the launches of reductions and packing.

use std::ffi::{CStr, c_void};

use smallvec::SmallVec;

use super::context::{Context, Lane};
use super::copy;
use super::driver::{self, Object, driver};
use super::event::Event;
use super::kernels::packing::{Block, Packing, widest};
use super::kernels::{self, MODULES, MOST_INPUTS, Module, Reduction};
use super::stream::Stream;
use crate::device::Pending;
use crate::device::scratch::Buffer;
use crate::device::staging::{self, Bounce};
use crate::device::strided::{Blocks, Rows};
use crate::object::datatype::Datatype;
use crate::object::error::Result;
use crate::object::op::Op;
use crate::trace;

/// Threads of a block, and most blocks: several times what a device runs at once, so that none of it waits long for the last of them;
/// each thread then goes on.
const THREADS: u32 = 256;
const GRID: u64 = 4096;
/// Bytes that a thread should have to do.
const EACH: u64 = 16;
/// Sets of rows that are launched one by one; more go through a table.
const FEW: usize = 4;

/// The modules that a context has loaded, by number, and the functions asked for so far.
#[derive(Default)]
pub struct Modules {
    loaded: [Option<Object>; MODULES.len()],
    functions: Vec<(&'static CStr, Object)>,
}

impl Modules {
    /// A function of a module. The context must be current.
    fn function(&mut self, module: &'static Module, entry: &'static CStr) -> Result<Object> {
        if let Some((_, function)) = self.functions.iter().find(|(name, _)| std::ptr::eq(name.as_ptr(), entry.as_ptr())) {
            return Ok(*function);
        }
        let loaded = match self.loaded[module.number] {
            Some(loaded) => loaded,
            None => load(module)?,
        };
        self.loaded[module.number] = Some(loaded);
        let mut function = 0;
        // SAFETY: writes the handle; the entry's name ends in a zero.
        let code = unsafe { (driver().module_function)(&mut function, loaded, entry.as_ptr()) };
        driver::check("cuModuleGetFunction", code)?;
        self.functions.push((entry, function));
        Ok(function)
    }
}

fn load(module: &Module) -> Result<Object> {
    let mut loaded = 0;
    // SAFETY: writes the handle; the text ends in a zero.
    driver::check("cuModuleLoadData", unsafe { (driver().module_load)(&mut loaded, module.text.as_ptr().cast()) })?;
    Ok(loaded)
}

/// Launches a function whose work is so many bytes; `arguments` are addresses of values as the kernel declares them.
///
/// # Safety
/// The arguments must be what the function takes.
unsafe fn launch(function: Object, stream: Stream, bytes: u64, arguments: &mut [*mut c_void]) -> Result<()> {
    let blocks = bytes.div_ceil(EACH * THREADS as u64).clamp(1, GRID) as u32;
    // SAFETY: the caller's promise.
    let code = unsafe {
        (driver().launch)(function, blocks, 1, 1, THREADS, 1, 1, 0, stream.0, arguments.as_mut_ptr(), std::ptr::null_mut())
    };
    driver::check("cuLaunchKernel", code)
}

fn argument<T>(value: &mut T) -> *mut c_void {
    (value as *mut T).cast()
}

/// Whether there is a kernel for an operation on a type.
pub fn has(op: &Op, datatype: &Datatype) -> bool {
    kernels::reduction_of(op, datatype).is_some()
}

/// Launches a reduction; `None` when there is no kernel for it.
///
/// # Safety
/// As for [`crate::device::Exec::combine`].
pub unsafe fn combine(
    context: &'static Context,
    op: &Op,
    datatype: &Datatype,
    count: usize,
    inputs: &[*const u8],
    outs: &[*mut u8],
) -> Option<Result<Pending>> {
    let kernel = kernels::reduction_of(op, datatype)?;
    let _entered = match context.enter() {
        Ok(entered) => entered,
        Err(error) => return Some(Err(error)),
    };
    let stream = context.stream(Lane::Work);
    // SAFETY: the caller's promise.
    let launched = unsafe {
        match (inputs, outs) {
            (&[a, b], &[out]) => two(context, stream, &kernel, count, (a, b, out)),
            _ => many(context, stream, &kernel, count, inputs, outs),
        }
    };
    match launched {
        Ok(()) => Some(Event::record(context, stream).map(Pending::event)),
        Err(error) => {
            trace::note(format!("CUDA: reductions run on the host, since the kernels do not run: {error}"));
            None
        }
    }
}

/// # Safety
/// As for [`crate::device::Exec::combine`].
unsafe fn two(
    context: &Context,
    stream: Stream,
    kernel: &Reduction,
    count: usize,
    (mut a, mut b, mut out): (*const u8, *const u8, *mut u8),
) -> Result<()> {
    let function = context.modules.lock().function(kernel.module, kernel.two)?;
    let mut elements = count as u64;
    let mut arguments = [argument(&mut out), argument(&mut a), argument(&mut b), argument(&mut elements)];
    // SAFETY: the arguments of the `two` form; the caller's promise for what they point to.
    unsafe { launch(function, stream, (count * kernel.element) as u64, &mut arguments) }
}

/// # Safety
/// As for [`crate::device::Exec::combine`].
unsafe fn many(
    context: &Context,
    stream: Stream,
    kernel: &Reduction,
    count: usize,
    inputs: &[*const u8],
    outs: &[*mut u8],
) -> Result<()> {
    let function = context.modules.lock().function(kernel.module, kernel.many)?;
    let (mut elements, mut sources, mut targets) = (count as u64, inputs.len() as u32, outs.len() as u32);
    let mut from = [std::ptr::null::<u8>(); MOST_INPUTS];
    from[..inputs.len()].copy_from_slice(inputs);
    let mut to = [std::ptr::null_mut::<u8>(); MOST_INPUTS];
    to[..outs.len()].copy_from_slice(outs);
    let mut arguments = SmallVec::<[*mut c_void; 3 + 2 * MOST_INPUTS]>::new();
    arguments.extend([argument(&mut elements), argument(&mut sources), argument(&mut targets)]);
    arguments.extend(from.iter_mut().map(argument));
    arguments.extend(to.iter_mut().map(argument));
    // SAFETY: the arguments of the `many` form; the caller's promise for what they point to.
    unsafe { launch(function, stream, (count * kernel.element) as u64, &mut arguments) }
}

/// Packs (`out`) or unpacks blocks.
///
/// # Safety
/// As for [`crate::device::Memory::gather`] and `scatter`.
pub unsafe fn pack(context: &'static Context, base: *mut u8, blocks: &Blocks, packed: *mut u8, out: bool) -> Result<Pending> {
    let _entered = context.enter()?;
    let stream = context.stream(Lane::Work);
    if blocks.0.len() > FEW {
        // SAFETY: the caller's promise.
        match unsafe { by_table(context, stream, base, blocks, packed, out) } {
            Ok(table) => return Ok(Event::record(context, stream).map(Pending::event)?.keeping(table)),
            Err(error) => {
                no_kernel(&error);
            }
        }
    }
    let mut done = 0;
    for rows in &blocks.0 {
        let place = packed.wrapping_add(done);
        // SAFETY: the caller's promise.
        unsafe {
            if rows.count == 1 || by_rows(context, stream, base, rows, place, out).is_err_and(|error| no_kernel(&error)) {
                copy::rows(stream, base, rows, place, out)?;
            }
        }
        done += rows.block * rows.count;
    }
    Event::record(context, stream).map(Pending::event)
}

/// Says so; true.
#[cold]
fn no_kernel(error: &crate::object::error::Error) -> bool {
    trace::note(format!(
        "CUDA: derived types on the device are copied row by row, since the packing kernels do not run: {error}"
    ));
    true
}

/// # Safety
/// As for [`pack`].
unsafe fn by_rows(context: &Context, stream: Stream, base: *mut u8, rows: &Rows, packed: *mut u8, out: bool) -> Result<()> {
    let mut data = base.wrapping_offset(rows.offset as isize);
    let kernel = widest([packed as u64, data as u64, rows.block as u64, rows.stride as u64]);
    let entry = if out { kernel.pack_strided } else { kernel.unpack_strided };
    let function = context.modules.lock().function(&kernels::PACK, entry)?;
    let bytes = (rows.block * rows.count) as u64;
    let (mut packed, mut first, mut all, mut block, mut inner) = (packed, 0u64, bytes, rows.block as u64, rows.count as u64);
    let (mut stride, mut outer, mut outer_stride, mut extent) = (rows.stride, 1u64, 0i64, 0i64);
    let mut arguments = [
        argument(&mut packed),
        argument(&mut data),
        argument(&mut first),
        argument(&mut all),
        argument(&mut block),
        argument(&mut inner),
        argument(&mut stride),
        argument(&mut outer),
        argument(&mut outer_stride),
        argument(&mut extent),
    ];
    // SAFETY: the arguments of the `strided` entries.
    unsafe { launch(function, stream, bytes, &mut arguments) }
}

/// One block a row, in packed order.
fn table(blocks: &Blocks) -> Vec<Block> {
    let mut position = 0;
    let each = |rows: &Rows| {
        let (offset, stride, length) = (rows.offset, rows.stride, rows.block as u64);
        (0..rows.count as i64).map(move |i| (offset + i * stride, length))
    };
    let entry = |(offset, length)| {
        let block = Block { offset, length, position };
        position += length;
        block
    };
    blocks.0.iter().flat_map(each).map(entry).collect()
}

fn packing(table: &[Block], base: *const u8, packed: *const u8) -> &'static Packing {
    let quantities = table.iter().flat_map(|b| [b.offset as u64, b.length, b.position]);
    widest(quantities.chain([base as u64, packed as u64]))
}

/// Packs by a table of blocks in device memory; what it returns must live until it is done.
///
/// # Safety
/// As for [`pack`].
unsafe fn by_table(
    context: &'static Context,
    stream: Stream,
    base: *mut u8,
    blocks: &Blocks,
    packed: *mut u8,
    out: bool,
) -> Result<Box<dyn Send>> {
    let table = table(blocks);
    let kernel = packing(&table, base, packed);
    let entry = if out { kernel.pack_blocks } else { kernel.unpack_blocks };
    let function = context.modules.lock().function(&kernels::PACK, entry)?;
    let copy = Buffer::take(context, size_of_val(&table[..]))?;
    let (source, held) = pinned(context, &table)?;
    // SAFETY: table, its pinned form and the copy live until the work is complete, as the caller is told.
    unsafe { copy::enqueue(stream, source, copy.at(), size_of_val(&table[..]))? };
    let (mut packed, mut data, mut first, mut bytes) = (packed, base, 0u64, blocks.bytes() as u64);
    let (mut place, mut count, mut size, mut extent) = (copy.at(), table.len() as u64, bytes, 0i64);
    let (mut begin, mut end, mut width) = (0u64, count, width(bytes / count, kernel.width));
    let mut arguments = [
        argument(&mut packed),
        argument(&mut data),
        argument(&mut first),
        argument(&mut bytes),
        argument(&mut place),
        argument(&mut count),
        argument(&mut size),
        argument(&mut extent),
        argument(&mut begin),
        argument(&mut end),
        argument(&mut width),
    ];
    // SAFETY: the arguments of the `blocks` entries.
    let launched = unsafe { launch(function, stream, size * u64::from(width), &mut arguments) };
    if launched.is_err() {
        // The table may still be read.
        Pending::event(Event::record(context, stream)?).wait()?;
    }
    launched.map(|()| Box::new((table, held, copy)) as Box<dyn Send>)
}

/// A table as a copy to the device may read it at its leisure: in pinned memory, if it is not too long for a piece. The driver may wait for the
/// stream before it reads other memory of the host.
fn pinned(context: &'static Context, table: &[Block]) -> Result<(*const u8, Option<Bounce>)> {
    let bytes = size_of_val(table);
    if bytes > staging::SMALL {
        return Ok((table.as_ptr().cast(), None));
    }
    let bounce = staging::take_small(context)?;
    // SAFETY: the piece has room; blocks are plain numbers.
    unsafe { std::ptr::copy_nonoverlapping(table.as_ptr().cast(), bounce.at(), bytes) };
    Ok((bounce.at().cast_const(), Some(bounce)))
}

/// Threads that share a block of so many bytes.
fn width(bytes: u64, access: usize) -> u32 {
    (bytes / access as u64).next_power_of_two().clamp(1, 32) as u32
}
