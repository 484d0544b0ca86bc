// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `make install` copies, besides what is staged.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn documents_and_licences_are_installed_with_what_is_staged() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("install");
    let (stage, prefix) = (folder.join("stage"), folder.join("prefix"));
    let _ = fs::remove_dir_all(&folder);
    for part in ["bin", "lib/pkgconfig", "include"] {
        fs::create_dir_all(stage.join(part)).unwrap();
    }
    fs::write(stage.join("lib/pkgconfig/mpi.pc"), "staged").unwrap();
    let done = Command::new(root.join("tools/install.sh")).args([&prefix, &stage]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(fs::read_to_string(prefix.join("lib/pkgconfig/mpi.pc")).unwrap(), "staged");
    let documents = prefix.join("share/doc/paceline");
    for name in ["README.md", "LICENSE-APACHE", "LICENSE-MIT", "docs/running.md", "docs/tuning.md"] {
        assert_eq!(fs::read(documents.join(name)).unwrap(), fs::read(root.join(name)).unwrap(), "{name}");
    }
    fs::remove_dir_all(&folder).unwrap();
}
