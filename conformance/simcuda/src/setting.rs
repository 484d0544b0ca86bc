// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the environment decides. The only file that reads it.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `SIMCUDA_DEVICES` | devices | 1 |
//! | `CUDA_VISIBLE_DEVICES` | which of them this process sees, in its order | all |
//! | `SIMCUDA_MEMORY` | memory of a device, MiB, of which each process counts what it holds itself | 16384 |
//! | `SIMCUDA_DELAY_US` | an operation starts late by up to this, µs | 200 |
//! | `SIMCUDA_SEED` | seed of the delays | the process id |
//! | `SIMCUDA_IPC_OPEN_US` | time that opening a memory handle takes, µs | 1000 |
//! | `SIMCUDA_IPC` | `off`: handles of other processes cannot be opened, as across containers | on |
//! | `SIMCUDA_IPC_OVERLAP` | `off`: no handle is opened where its owner's address overlaps a mapping that is still open | on |
//! | `SIMCUDA_PEER` | `off`: no device reaches another's memory | on |
//! | `SIMCUDA_COMPUTE_MODE` | what the devices say of it (2: prohibited, 3: exclusive-process); nothing enforces it | 0 |
//! | `SIMCUDA_VERSION` | the driver's version | 13000 |
//! | `SIMCUDA_FAIL` | `function=code,...`: these functions fail (`cuInit=34` is the stub library, `cuInit=999` a broken driver) | none |
//! | `SIMCUDA_MISSING` | `function,...`: `cuGetProcAddress` does not find these | none |
//! | `SIMCUDA_TRACE` | `1`: calls and what streams do goes to the error output | off |
//! | `SIMCUDA_LOG` | at exit a line `PID TOTAL function=calls wait:function=waits ...` is added to this file: the first thread's waits for a context | none |

use std::sync::OnceLock;

/// The settings of this process.
pub struct Setting {
    /// The devices that the process sees: their numbers in the machine.
    pub devices: Vec<u32>,
    /// Memory of a device in bytes.
    pub memory: usize,
    /// Longest ordinary delay of an operation in µs.
    pub delay_us: u64,
    /// Seed of the delays.
    pub seed: u64,
    /// Cost of opening a memory handle in µs.
    pub ipc_open_us: u64,
    /// Whether handles of other processes can be opened.
    pub ipc: bool,
    /// Whether handles can be opened where the owner's address overlaps an open mapping.
    pub overlap: bool,
    /// Whether devices reach each other's memory.
    pub peer: bool,
    /// The attribute of that name.
    pub compute_mode: i32,
    /// The driver's version, 1000 major + 10 minor.
    pub version: i32,
    /// Functions that fail, and with which code.
    pub fail: Vec<(String, i32)>,
    /// Functions that are not found by name.
    pub missing: Vec<String>,
    /// Where the counts of calls go.
    pub log: Option<String>,
    /// Whether calls are told.
    pub trace: bool,
}

/// The settings, read once.
pub fn get() -> &'static Setting {
    static SETTING: OnceLock<Setting> = OnceLock::new();
    SETTING.get_or_init(read)
}

fn read() -> Setting {
    Setting {
        devices: visible(number("SIMCUDA_DEVICES", 1) as u32, text("CUDA_VISIBLE_DEVICES")),
        memory: (number("SIMCUDA_MEMORY", 16384) as usize) << 20,
        delay_us: number("SIMCUDA_DELAY_US", 200),
        seed: number("SIMCUDA_SEED", u64::from(std::process::id())),
        ipc_open_us: number("SIMCUDA_IPC_OPEN_US", 1000),
        ipc: text("SIMCUDA_IPC").as_deref() != Some("off"),
        overlap: text("SIMCUDA_IPC_OVERLAP").as_deref() != Some("off"),
        peer: text("SIMCUDA_PEER").as_deref() != Some("off"),
        compute_mode: number("SIMCUDA_COMPUTE_MODE", 0) as i32,
        version: number("SIMCUDA_VERSION", 13000) as i32,
        fail: list("SIMCUDA_FAIL").iter().filter_map(|entry| failure(entry)).collect(),
        missing: list("SIMCUDA_MISSING"),
        log: text("SIMCUDA_LOG"),
        trace: text("SIMCUDA_TRACE").as_deref() == Some("1"),
    }
}

fn text(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn number(name: &str, default: u64) -> u64 {
    text(name).and_then(|value| value.trim().parse().ok()).unwrap_or(default)
}

fn list(name: &str) -> Vec<String> {
    text(name).unwrap_or_default().split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
}

fn failure(entry: &str) -> Option<(String, i32)> {
    let (name, code) = entry.split_once('=')?;
    Some((name.to_owned(), code.parse().ok()?))
}

/// The devices that a list of numbers leaves: as the driver does it, the list ends at the first one that does not exist.
fn visible(count: u32, chosen: Option<String>) -> Vec<u32> {
    let Some(chosen) = chosen else { return (0..count).collect() };
    let numbers = chosen.split(',').map(|word| word.trim().parse::<u32>());
    numbers.map_while(Result::ok).take_while(|device| *device < count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_visible_devices_ends_at_the_first_that_does_not_exist() {
        assert_eq!(visible(3, None), [0, 1, 2]);
        assert_eq!(visible(3, Some("2, 0".into())), [2, 0]);
        assert_eq!(visible(3, Some("1,7,0".into())), [1]);
        assert_eq!(visible(3, Some(String::new())), [0u32; 0]);
    }
}
