// SPDX-License-Identifier: MIT OR Apache-2.0
//! Running a kernel: every thread of every block, one after the other, over a flat file of 64-bit registers.

use std::fmt;

use crate::coverage::Coverage;
use crate::decode::{Access, Action};
use crate::memory::{Memory, Windows};
use crate::parse::Kernel;

/// The first slots of the register file: who a thread is, and the constant 1.
pub(crate) const SPECIAL: [&str; 13] = [
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
    "1",
];

/// What ended a launch: where, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kernel.
    pub kernel: String,
    /// The statement.
    pub statement: String,
    /// The block and the thread in it.
    pub thread: [u32; 6],
    /// What was wrong.
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { kernel, statement, thread: [x, y, z, bx, by, bz], reason } = self;
        write!(f, "{kernel}: {reason}, in `{statement}` of thread ({x}, {y}, {z}) in block ({bx}, {by}, {bz})")
    }
}

impl std::error::Error for Fault {}

impl Kernel {
    /// Runs all threads. `parameters` is the block that [`Kernel::parameters`] describes, in this machine's byte order.
    pub fn launch(&self, grid: [u32; 3], block: [u32; 3], parameters: &[u8], memory: &mut dyn Memory) -> Result<(), Fault> {
        self.run::<false>(grid, block, parameters, memory, &mut Coverage::default())
    }

    /// [`Kernel::launch`], and counts in `coverage` what has run.
    pub fn launch_counted(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        parameters: &[u8],
        memory: &mut dyn Memory,
        coverage: &mut Coverage,
    ) -> Result<(), Fault> {
        coverage.counts.resize(self.instructions.len(), 0);
        self.run::<true>(grid, block, parameters, memory, coverage)
    }

    fn run<const COUNT: bool>(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        parameters: &[u8],
        memory: &mut dyn Memory,
        coverage: &mut Coverage,
    ) -> Result<(), Fault> {
        let mut machine = Machine { kernel: self, registers: self.registers.clone(), parameters, windows: Windows::new(memory) };
        if parameters.len() < self.parameter_bytes() {
            let reason = format!("{} bytes of parameters for {}", parameters.len(), self.parameter_bytes());
            return Err(machine.fault(0, reason));
        }
        for (slot, value) in (6..).zip(block.into_iter().chain(grid)) {
            machine.registers[slot] = value as u64;
        }
        for who in positions(grid, block) {
            for (slot, value) in who.into_iter().enumerate() {
                machine.registers[slot] = value as u64;
            }
            machine.thread::<COUNT>(&mut coverage.counts).map_err(|(at, reason)| machine.fault(at, reason))?;
        }
        Ok(())
    }
}

/// Every thread: its place in its block, and the block's.
fn positions(grid: [u32; 3], block: [u32; 3]) -> impl Iterator<Item = [u32; 6]> {
    let cells = |[x, y, z]: [u32; 3]| (0..z).flat_map(move |k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k])));
    cells(grid).flat_map(move |b| cells(block).map(move |t| [t[0], t[1], t[2], b[0], b[1], b[2]]))
}

struct Machine<'k> {
    kernel: &'k Kernel,
    registers: Vec<u64>,
    parameters: &'k [u8],
    windows: Windows<'k>,
}

impl Machine<'_> {
    #[cold]
    fn fault(&self, at: usize, reason: String) -> Fault {
        let thread = std::array::from_fn(|slot| self.registers[slot] as u32);
        Fault { kernel: self.kernel.name.clone(), statement: self.kernel.texts[at].clone(), thread, reason }
    }

    /// One thread from the first instruction to its return; on a fault, which instruction and why.
    fn thread<const COUNT: bool>(&mut self, counts: &mut [u64]) -> Result<(), (usize, String)> {
        let mut at = 0;
        loop {
            let instruction = &self.kernel.instructions[at];
            if COUNT {
                counts[at] += 1;
            }
            at += 1;
            if (self.registers[instruction.guard as usize] != 0) != instruction.expected {
                continue;
            }
            match instruction.action {
                Action::Compute { compute, to, from: [a, b, c, d] } => {
                    self.registers[to as usize] = compute(self.get(a), self.get(b), self.get(c), self.get(d));
                }
                Action::Branch { target } => at = target as usize,
                Action::Return => return Ok(()),
                ref other => self.rare(other).map_err(|reason| (at - 1, reason))?,
            }
        }
    }

    #[inline(always)]
    fn get(&self, slot: u32) -> u64 {
        self.registers[slot as usize]
    }

    /// What touches memory, or more than one register.
    fn rare(&mut self, action: &Action) -> Result<(), String> {
        match *action {
            Action::Load { to, address, displacement, access } => {
                let place = self.place(address, displacement, access)?;
                for (i, slot) in to.into_iter().take(access.count as usize).enumerate() {
                    // SAFETY: `place` holds `count` values of `bytes` bytes, aligned.
                    self.registers[slot as usize] = unsafe { read(place.add(i * access.bytes as usize), access) };
                }
            }
            Action::Store { from, address, displacement, access } => {
                let place = self.place(address, displacement, access)?;
                for (i, slot) in from.into_iter().take(access.count as usize).enumerate() {
                    // SAFETY: as above, and writable by the promise of `Memory`.
                    unsafe { write(place.add(i * access.bytes as usize), access, self.get(slot)) };
                }
            }
            Action::Parameter { to, offset, access } => {
                let place = &self.parameters[offset as usize..][..access.bytes as usize];
                let mut bytes = [0; 8];
                bytes[..place.len()].copy_from_slice(place);
                self.registers[to as usize] = extend(u64::from_le_bytes(bytes), access);
            }
            Action::Split { low, high, from, half } => {
                let (value, mask) = (self.get(from), (1 << half) - 1);
                self.registers[low as usize] = value & mask;
                self.registers[high as usize] = value >> half & mask;
            }
            Action::Compute { .. } | Action::Branch { .. } | Action::Return => unreachable!("done by the caller"),
        }
        Ok(())
    }

    fn place(&mut self, address: u32, displacement: i32, access: Access) -> Result<*mut u8, String> {
        let address = self.get(address).wrapping_add_signed(displacement as i64);
        self.windows.at(address, access.bytes as u64 * access.count as u64)
    }
}

/// # Safety
/// `from` must hold a value of `access.bytes` bytes. The device address is aligned; the host's need not be.
unsafe fn read(from: *const u8, access: Access) -> u64 {
    // SAFETY: the caller's promise.
    let value = unsafe {
        match access.bytes {
            1 => from.read() as u64,
            2 => from.cast::<u16>().read_unaligned() as u64,
            4 => from.cast::<u32>().read_unaligned() as u64,
            _ => from.cast::<u64>().read_unaligned(),
        }
    };
    extend(value, access)
}

/// # Safety
/// `to` must have room for a value of `access.bytes` bytes.
unsafe fn write(to: *mut u8, access: Access, value: u64) {
    // SAFETY: the caller's promise.
    unsafe {
        match access.bytes {
            1 => to.write(value as u8),
            2 => to.cast::<u16>().write_unaligned(value as u16),
            4 => to.cast::<u32>().write_unaligned(value as u32),
            _ => to.cast::<u64>().write_unaligned(value),
        }
    }
}

fn extend(value: u64, access: Access) -> u64 {
    match (access.signed, access.bytes) {
        (true, 1) => value as i8 as i64 as u64,
        (true, 2) => value as i16 as i64 as u64,
        (true, 4) => value as i32 as i64 as u64,
        _ => value,
    }
}
