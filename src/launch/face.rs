// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which MPI library a program wants, and how it is led to ours.
//!
//! The folder with our libraries goes first on `LD_LIBRARY_PATH`: that serves scripts and interpreters as well. A program
//! or library with a DT_RPATH is searched there before that, so it gets our library preloaded.

use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, FileHeader64};
use object::read::ReadCache;
use object::read::elf::FileHeader;
use object::{Endianness, ReadRef};
use std::collections::{HashSet, VecDeque};
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Sonames of MPI libraries, with the ABI they stand for.
const SONAMES: [(&str, &str); 4] = [
    ("libmpi.so.40", "Open MPI"),
    ("libmpi.so.12", "MPICH"),
    ("libmpich.so.12", "MPICH"),
    ("libmpi_abi.so.1", "the standard ABI"),
];

/// Sonames of libraries for Fortran beside them. Debian's compilers link a program to these alone.
const FORTRAN: [&str; 3] = ["libmpi_mpifh.so.40", "libmpifort.so.12", "libmpichfort.so.12"];

/// Where the loader looks when nothing else is said.
const SYSTEM: [&str; 6] =
    ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib", "/usr/local/lib"];

/// More files than this are not looked at.
const MOST: usize = 200;

/// What a program wants.
#[derive(Debug, PartialEq, Eq)]
pub struct Wish {
    /// The library's name.
    pub soname: &'static str,
    /// The ABI's name.
    pub abi: &'static str,
    /// Whether a DT_RPATH stands before the library path.
    pub rpath: bool,
    /// The name of the library for Fortran, if it wants one.
    pub fortran: Option<&'static str>,
}

/// How a program is led to our library.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Lead {
    /// Goes first on the library path.
    pub folder: Option<PathBuf>,
    /// Are preloaded.
    pub preload: Vec<PathBuf>,
    /// What to say about it.
    pub note: Option<String>,
}

impl Lead {
    /// In words, for `--verbose`.
    pub fn describe(&self) -> String {
        match (&self.preload[..], &self.folder) {
            ([], Some(folder)) => format!("libraries from {}", folder.display()),
            ([], None) => "libraries from where the loader finds them".to_owned(),
            (libraries, _) => {
                let paths: Vec<String> = libraries.iter().map(|library| library.display().to_string()).collect();
                format!("{} preloaded", paths.join(" and "))
            }
        }
    }
}

/// The folder of our libraries, beside the launcher's own: `../lib`.
pub fn own_folder() -> Option<PathBuf> {
    let launcher = std::env::current_exe().ok()?;
    let folder = launcher.parent()?.parent()?.join("lib");
    SONAMES.iter().any(|(name, _)| folder.join(name).exists()).then_some(folder)
}

/// How `program` is led to the libraries in `folder`.
pub fn lead(program: &Path, folder: Option<&Path>, library_path: &str) -> Lead {
    let Some(folder) = folder else {
        let what = |wish: Wish| {
            format!("Paceline's libraries are not beside this mpiexec, in ../lib: {} is searched elsewhere", wish.soname)
        };
        return Lead { note: wish(program, library_path).map(what), ..Lead::default() };
    };
    let mut lead = Lead { folder: Some(folder.into()), ..Lead::default() };
    if let Some(wish) = wish(program, library_path) {
        let ours = folder.join(wish.soname);
        if !ours.exists() {
            lead.note = Some(format!(
                "{} wants {} ({}), which Paceline does not provide here: it runs on the MPI library it was built for",
                program.display(),
                wish.soname,
                wish.abi
            ));
        } else if wish.rpath {
            let fortran = wish.fortran.map(|name| folder.join(name)).filter(|library| library.exists());
            lead.preload = [ours].into_iter().chain(fortran).collect();
        }
    }
    lead
}

/// The file that a program's name stands for, as execvp finds it.
pub fn locate(program: &OsStr, folder: Option<&Path>) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 || path.is_absolute() {
        let file = folder.map_or_else(|| path.to_owned(), |folder| folder.join(path));
        return file.exists().then_some(file);
    }
    let all = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&all).map(|dir| dir.join(path)).find(|file| file.is_file())
}

/// Follows the program's libraries until one is an MPI library. `None` for scripts and for programs without MPI.
pub fn wish(program: &Path, library_path: &str) -> Option<Wish> {
    let mut seen = HashSet::new();
    let (mut rpath, mut fortran) = (false, None);
    let mut queue = VecDeque::from([program.to_owned()]);
    while let Some(file) = queue.pop_front().filter(|_| seen.len() < MOST) {
        let Some(needs) = Needs::of(&file) else { continue };
        rpath |= !needs.rpath.is_empty();
        fortran = fortran.or_else(|| FORTRAN.into_iter().find(|soname| needs.libraries.iter().any(|name| name == soname)));
        for name in &needs.libraries {
            if let Some((soname, abi)) = SONAMES.iter().find(|(soname, _)| soname == name) {
                return Some(Wish { soname, abi, rpath, fortran });
            }
            if seen.insert(name.clone()) {
                queue.extend(needs.find(name, library_path));
            }
        }
    }
    None
}

/// What the dynamic section of a file says.
#[derive(Default)]
struct Needs {
    libraries: Vec<String>,
    rpath: Vec<PathBuf>,
    runpath: Vec<PathBuf>,
}

impl Needs {
    fn of(file: &Path) -> Option<Needs> {
        let data = ReadCache::new(File::open(file).ok()?);
        Needs::read(&data, file.parent()?)
    }

    fn read<'a, R: ReadRef<'a>>(data: R, origin: &Path) -> Option<Needs> {
        let header = FileHeader64::<Endianness>::parse(data).ok()?;
        let endian = header.endian().ok()?;
        let table = header.sections(endian, data).ok()?.dynamic_table(endian, data).ok()?;
        let mut needs = Needs::default();
        for entry in table.iter() {
            let text = || table.string(entry).ok().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            match entry.tag {
                DT_NEEDED => needs.libraries.extend(text()),
                DT_RPATH => needs.rpath.extend(folders(&text()?, origin)),
                DT_RUNPATH => needs.runpath.extend(folders(&text()?, origin)),
                _ => {}
            }
        }
        // The loader ignores DT_RPATH where there is a DT_RUNPATH.
        if !needs.runpath.is_empty() {
            needs.rpath.clear();
        }
        Some(needs)
    }

    fn find(&self, name: &str, library_path: &str) -> Option<PathBuf> {
        let given = library_path.split(':').filter(|dir| !dir.is_empty()).map(PathBuf::from);
        let system = SYSTEM.iter().map(PathBuf::from);
        let all = self.rpath.iter().cloned().chain(given).chain(self.runpath.iter().cloned()).chain(system);
        all.map(|dir| dir.join(name)).find(|file| file.exists())
    }
}

fn folders(text: &str, origin: &Path) -> Vec<PathBuf> {
    let origin = origin.to_string_lossy();
    text.split(':').map(|dir| dir.replace("$ORIGIN", &origin).replace("${ORIGIN}", &origin).into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// A folder with programs made for the purpose; removed at the end.
    struct Workshop(PathBuf);

    impl Workshop {
        fn new(name: &str) -> Workshop {
            let folder = std::env::temp_dir().join(format!("paceline-face-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("empty.c"), "int main(void){return 0;}\n").unwrap();
            std::fs::write(folder.join("lib.c"), "int mpi_probe;\n").unwrap();
            Workshop(folder)
        }

        fn cc(&self, line: &str) {
            let status = Command::new("cc").current_dir(&self.0).args(line.split(' ')).status().unwrap();
            assert!(status.success(), "cc {line}");
        }
    }

    impl Drop for Workshop {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_program_without_mpi_and_a_script_wish_nothing() {
        assert_eq!(wish(Path::new("/bin/ls"), ""), None);
        let shop = Workshop::new("none");
        std::fs::write(shop.0.join("script"), "#!/bin/sh\n").unwrap();
        assert_eq!(wish(&shop.0.join("script"), ""), None);
        assert_eq!(wish(&shop.0.join("missing"), ""), None);
    }

    #[test]
    fn the_wish_is_found_directly_and_through_a_library() {
        let shop = Workshop::new("wish");
        shop.cc("-shared -fPIC lib.c -Wl,-soname,libmpi.so.40 -o libmpi.so");
        shop.cc("-shared -fPIC lib.c -Wl,-soname,libmid.so -Wl,--no-as-needed -L. -lmpi -o libmid.so");
        shop.cc("empty.c -Wl,--no-as-needed -L. -lmpi -o direct");
        shop.cc("empty.c -Wl,--no-as-needed,--allow-shlib-undefined,--disable-new-dtags,-rpath,$ORIGIN -L. -lmid -o through");
        let direct = wish(&shop.0.join("direct"), "").unwrap();
        assert_eq!((direct.soname, direct.abi, direct.rpath), ("libmpi.so.40", "Open MPI", false));
        let through = wish(&shop.0.join("through"), "").unwrap();
        assert_eq!((through.soname, through.rpath), ("libmpi.so.40", true));
    }

    #[test]
    fn a_program_of_fortran_gets_that_library_too() {
        let shop = Workshop::new("fortran");
        shop.cc("-shared -fPIC lib.c -Wl,-soname,libmpi.so.40 -o libmpi.so.40");
        shop.cc(
            "-shared -fPIC lib.c -Wl,-soname,libmpi_mpifh.so.40 -Wl,--no-as-needed -L. -l:libmpi.so.40 -o libmpi_mpifh.so.40",
        );
        let rpath = "-Wl,--allow-shlib-undefined,--disable-new-dtags,-rpath,$ORIGIN -L.";
        shop.cc(&format!("empty.c -Wl,--no-as-needed {rpath} -l:libmpi_mpifh.so.40 -o program"));
        let wish = wish(&shop.0.join("program"), "").unwrap();
        assert_eq!((wish.soname, wish.fortran, wish.rpath), ("libmpi.so.40", Some("libmpi_mpifh.so.40"), true));
        let led = lead(&shop.0.join("program"), Some(&shop.0), "");
        assert_eq!(led.preload, [shop.0.join("libmpi.so.40"), shop.0.join("libmpi_mpifh.so.40")]);
    }

    #[test]
    fn the_lead_depends_on_what_we_have() {
        let shop = Workshop::new("lead");
        shop.cc("-shared -fPIC lib.c -Wl,-soname,libmpi.so.12 -o libmpi.so");
        shop.cc("empty.c -Wl,--no-as-needed,--disable-new-dtags,-rpath,/elsewhere -L. -lmpi -o program");
        let program = shop.0.join("program");
        let nowhere = lead(&program, None, "");
        assert!(nowhere.folder.is_none() && nowhere.note.unwrap().contains("libmpi.so.12 is searched elsewhere"));
        assert_eq!(lead(Path::new("/bin/true"), None, ""), Lead::default());
        let note = lead(&program, Some(&shop.0), "").note.unwrap();
        assert!(note.contains("wants libmpi.so.12 (MPICH)"), "{note}");
        std::fs::write(shop.0.join("libmpi.so.12"), "").unwrap();
        let led = lead(&program, Some(&shop.0), "");
        assert_eq!((led.preload, led.note), (vec![shop.0.join("libmpi.so.12")], None));
    }
}
