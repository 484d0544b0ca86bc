// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed PTX belongs to the committed CUDA C, and can be run here.

use std::fs;
use std::path::PathBuf;

use paceline::device::cuda::kernels::MOST_INPUTS;
use ptx::Module;
use sha2::{Digest, Sha256};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../src/device/cuda/kernels")
}

/// Names and texts of the modules.
fn modules() -> Vec<(String, String)> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let texts = files.filter(|path| path.extension().is_some_and(|e| e == "ptx"));
    texts.map(|path| (path.display().to_string(), fs::read_to_string(&path).unwrap())).collect()
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What follows `start` in the line that starts so.
fn line<'a>(text: &'a str, start: &str) -> &'a str {
    text.lines().find_map(|line| line.strip_prefix(start)).expect("a line with the checksum")
}

#[test]
fn each_module_was_made_from_the_source_as_it_is() {
    for (path, text) in modules() {
        let (source, checksum) = line(&text, "// sha256 of ").split_once(": ").unwrap();
        let now = digest(&fs::read(folder().join(source)).unwrap());
        assert_eq!(now, checksum, "{path} was made from another {source}: run `make ptx`");
        let body = &text[text.find("\n.version").unwrap() + 1..];
        let checksum = line(&text, "// sha256 from .version on: ");
        assert_eq!(digest(body.as_bytes()), checksum, "{path} was changed after it was made: run `make ptx`");
        assert!(text.contains("\n.version 6.3\n.target sm_70\n"), "{path}: a driver of CUDA 10 would refuse it");
    }
}

#[test]
fn every_module_can_be_run_here() {
    let modules = modules();
    assert_eq!(modules.len(), 12);
    for (path, text) in modules {
        let module = Module::parse(&text).unwrap_or_else(|refusal| panic!("{path}: {refusal}"));
        assert!(module.kernels.iter().all(|kernel| kernel.name.starts_with("paceline_")));
        assert!(text.matches(".entry").count() == module.kernels.len());
    }
}

/// A device moves 16 bytes at a time, else its memory is not used up.
#[test]
fn every_reduction_fetches_whole_vectors() {
    for (path, text) in modules() {
        for entry in text.split(".visible .entry ").skip(1).filter(|_| !path.ends_with("pack.ptx")) {
            let (name, _) = entry.split_once('(').unwrap();
            let (inputs, outs) = if name.ends_with("_many") { (MOST_INPUTS, MOST_INPUTS) } else { (2, 1) };
            let [loads, stores] = ["ld.global.v4.", "st.global.v4."].map(|access| entry.matches(access).count());
            assert_eq!((loads, stores), (inputs, outs), "{name} of {path}: 16-byte loads and stores");
        }
    }
}

/// A module with one kernel that has no parameters.
fn one(body: &str) -> Result<Module, ptx::Refusal> {
    Module::parse(&format!(".version 6.3\n.visible .entry k()\n{{\n.reg .b64 %rd<3>;\n{body}\n}}\n"))
}

#[test]
fn what_is_not_implemented_is_refused_with_its_statement() {
    for body in ["bar.sync 0;\nret;", "atom.global.add.u32 %rd1, [%rd2], 1;\nret;", "ld.shared.u32 %rd1, [%rd2];\nret;"] {
        let refusal = one(body).unwrap_err().to_string();
        assert!(refusal.contains(body.lines().next().unwrap()), "{refusal}");
    }
    assert!(one("add.s64 %rd1, %rd7, 1;\nret;").unwrap_err().to_string().contains("%rd7"));
    assert!(one("bra nowhere;").unwrap_err().to_string().contains("label"));
    assert!(one("mov.u64 %rd1, 0;").unwrap_err().to_string().contains("without a return"));
}

#[test]
fn bad_accesses_end_a_launch() {
    let mut bytes = [0u8; 24];
    let mut fault = |address: u64, kind: &str| {
        let module = one(&format!("mov.u64 %rd1, {address};\nst.global.{kind} [%rd1+8], %rd2;\nret;")).unwrap();
        let mut memory = ptx::Flat::new([(0x1000, &mut bytes[..])]);
        module.kernels[0].launch([1, 1, 1], [1, 1, 1], &[], &mut memory).map_err(|fault| fault.to_string())
    };
    assert_eq!(fault(0x1008, "u64"), Ok(()));
    assert!(fault(0x1010, "u8").unwrap_err().contains("no allocation holds"));
    assert!(fault(0x100c, "u64").unwrap_err().contains("misaligned"));
    let mut short = [0u8; 21];
    let module = one("mov.u64 %rd1, 0x1010;\nst.global.u64 [%rd1], %rd2;\nret;").unwrap();
    let fault = module.kernels[0].launch([2, 1, 1], [1, 1, 1], &[], &mut ptx::Flat::new([(0x1000, &mut short[..])])).unwrap_err();
    assert!(fault.to_string().contains("8 bytes at offset 16"), "{fault}");
}
