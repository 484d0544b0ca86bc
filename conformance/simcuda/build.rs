// SPDX-License-Identifier: MIT OR Apache-2.0
fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libcuda.so.1");
}
