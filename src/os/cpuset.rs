// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which processors a thread may run on.

use std::io;

/// A set of processors, in words of 64.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CpuSet(Vec<u64>);

/// In words. The kernel refuses a set that is smaller than its own, which may be of any size.
const LARGEST: usize = 1 << 12;

impl CpuSet {
    /// Those that the calling thread may run on.
    pub fn mine() -> io::Result<CpuSet> {
        let mut words = 16;
        loop {
            let mut set = vec![0u64; words];
            // SAFETY: the kernel writes at most the given size to the live set.
            if unsafe { libc::sched_getaffinity(0, words * 8, set.as_mut_ptr().cast()) } == 0 {
                return Ok(CpuSet(set));
            }
            if words == LARGEST {
                return Err(io::Error::last_os_error());
            }
            words *= 2;
        }
    }

    /// Just this one.
    pub fn of(cpu: usize) -> CpuSet {
        let mut set = vec![0u64; cpu / 64 + 1];
        set[cpu / 64] = 1 << (cpu % 64);
        CpuSet(set)
    }

    /// Those of both.
    #[cfg(test)]
    pub fn union(&self, other: &CpuSet) -> CpuSet {
        let word = |set: &CpuSet, k| set.0.get(k).copied().unwrap_or(0);
        CpuSet((0..self.0.len().max(other.0.len())).map(|k| word(self, k) | word(other, k)).collect())
    }

    /// The numbers of the processors, ascending.
    pub fn cpus(&self) -> Vec<usize> {
        (0..self.0.len() * 64).filter(|cpu| self.0[cpu / 64] >> (cpu % 64) & 1 == 1).collect()
    }

    /// Binds the calling thread to these. Only a system call: usable between fork and exec.
    pub fn bind(&self) -> io::Result<()> {
        // SAFETY: the kernel reads the live set.
        match unsafe { libc::sched_setaffinity(0, self.0.len() * 8, self.0.as_ptr().cast()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// The processor that the calling thread runs on.
#[inline]
pub fn current() -> Option<usize> {
    // SAFETY: a query.
    usize::try_from(unsafe { libc::sched_getcpu() }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_thread_may_run_where_it_was_bound_and_is_there() {
        let all = CpuSet::mine().unwrap();
        for cpu in all.cpus() {
            CpuSet::of(cpu).bind().unwrap();
            assert_eq!(CpuSet::mine().unwrap().cpus(), [cpu]);
            assert_eq!(current(), Some(cpu));
        }
        all.bind().unwrap();
        assert_eq!(CpuSet::mine().unwrap(), all);
    }

    #[test]
    fn no_processor_means_an_error() {
        assert!(CpuSet(vec![0]).bind().is_err());
    }
}
