#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""nvrtc.py LIBRARY: makes the PTX of the GPU kernels from their CUDA C with libnvrtc alone: no GPU, no nvcc, no headers."""
import ctypes
import hashlib
import pathlib
import re
import sys

KERNELS = pathlib.Path(__file__).parent.parent / "src/device/cuda/kernels"
MODULES = {
    "reduce.cu": ["i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c16", "c32", "c64"],
    "pack.cu": ["pack"],
}
# Warnings about functions that one module does not use are switched off.
OPTIONS = ["--gpu-architecture=compute_75", "--fmad=false", "-default-device", "-diag-suppress=177"]
# What NVRTC writes for compute_75 is valid for sm_70 too, and for every driver since CUDA 10.0.
HEADER = [(r"^\.version .*$", ".version 6.3"), (r"^\.target .*$", ".target sm_70")]


def text(get_size, get, program):
    size = ctypes.c_size_t()
    get_size(program, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    get(program, buffer)
    return buffer.value.decode()


def compile_module(nvrtc, source, module):
    program = ctypes.c_void_p()
    code = (KERNELS / source).read_bytes()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), code, source.encode(), 0, None, None) == 0
    options = [option.encode() for option in OPTIONS + ["-DMODULE_" + module]]
    failed = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    log = text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program)
    if log or failed:
        sys.exit(f"{source}, module {module}: {log}")
    return text(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program)


def main():
    nvrtc = ctypes.CDLL(sys.argv[1])
    major, minor = ctypes.c_int(), ctypes.c_int()
    nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    for source, modules in MODULES.items():
        checksum = hashlib.sha256((KERNELS / source).read_bytes()).hexdigest()
        for module in modules:
            ptx = compile_module(nvrtc, source, module)
            ptx = ptx[ptx.index(".version"):]
            for pattern, line in HEADER:
                ptx, found = re.subn(pattern, line, ptx, flags=re.MULTILINE)
                assert found == 1
            ptx = ptx.rstrip() + "\n"
            head = [
                "// SPDX-License-Identifier: MIT OR Apache-2.0",
                f"// Made by `make ptx` from {source} with NVRTC {major.value}.{minor.value}: do not edit.",
                f"// sha256 of {source}: {checksum}",
                f"// sha256 from .version on: {hashlib.sha256(ptx.encode()).hexdigest()}",
            ]
            (KERNELS / f"{module}.ptx").write_text("\n".join(head) + "\n\n" + ptx)
            print(f"{module}.ptx: {len(ptx)} bytes")


main()
