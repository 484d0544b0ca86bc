// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory a kernel may touch: regions that the caller names, and nothing else.

/// Device addresses `start .. start + length`, and where their bytes are in this process.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// First device address.
    pub start: u64,
    /// Bytes.
    pub length: u64,
    /// Where the byte at `start` is.
    pub host: *mut u8,
}

/// Memory of a launch.
///
/// # Safety
/// A region that is returned must be readable and writable at `host` for `length` bytes, by raw accesses, until the launch
/// ends. Others may write it meanwhile only as they might write the memory of a GPU.
pub unsafe trait Memory {
    /// The region that holds an address: a whole allocation. None when the address is in no allocation, which ends the
    /// launch. Asked rarely: the answer is remembered for the rest of the launch.
    fn region(&mut self, address: u64) -> Option<Region>;
}

/// A few slices at addresses of the caller's choice.
pub struct Flat<'a> {
    slices: Vec<(u64, &'a mut [u8])>,
}

impl<'a> Flat<'a> {
    /// Each slice begins at its device address.
    pub fn new(slices: impl IntoIterator<Item = (u64, &'a mut [u8])>) -> Flat<'a> {
        Flat { slices: slices.into_iter().collect() }
    }
}

// SAFETY: the slices are borrowed for longer than any launch, and nobody else can use them meanwhile.
unsafe impl Memory for Flat<'_> {
    fn region(&mut self, address: u64) -> Option<Region> {
        self.slices.iter_mut().find_map(|(start, slice)| {
            let (start, length) = (*start, slice.len() as u64);
            let inside = address.checked_sub(start).is_some_and(|at| at < length);
            inside.then_some(Region { start, length, host: slice.as_mut_ptr() })
        })
    }
}

/// Regions used lately.
pub(crate) struct Windows<'a> {
    memory: &'a mut dyn Memory,
    known: Vec<Region>,
}

impl<'a> Windows<'a> {
    pub(crate) fn new(memory: &'a mut dyn Memory) -> Windows<'a> {
        Windows { memory, known: Vec::with_capacity(16) }
    }

    /// Where `bytes` bytes at a device address are; an aligned access inside one allocation, or why it is not.
    #[inline]
    pub(crate) fn at(&mut self, address: u64, bytes: u64) -> Result<*mut u8, String> {
        if !address.is_multiple_of(bytes) {
            return Err(format!("misaligned: {bytes} bytes at {address:#x}"));
        }
        for region in &self.known {
            let offset = address.wrapping_sub(region.start);
            if offset < region.length {
                return inside(region, offset, bytes);
            }
        }
        self.first(address, bytes)
    }

    #[cold]
    fn first(&mut self, address: u64, bytes: u64) -> Result<*mut u8, String> {
        let found = self.memory.region(address);
        let region = found.ok_or_else(|| format!("no allocation holds the {bytes} bytes at {address:#x}"))?;
        self.known.push(region);
        inside(&region, address - region.start, bytes)
    }
}

#[inline]
fn inside(region: &Region, offset: u64, bytes: u64) -> Result<*mut u8, String> {
    if region.length - offset < bytes {
        let (start, length) = (region.start, region.length);
        return Err(format!("{bytes} bytes at offset {offset} of the allocation at {start:#x} with {length} bytes"));
    }
    Ok(region.host.wrapping_add(offset as usize))
}
