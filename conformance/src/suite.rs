// SPDX-License-Identifier: MIT OR Apache-2.0
//! Suites are lists. `suites/NAME.toml` says where the programs are and what is special about some of them; the cross
//! product of a row's ranks, launchers and environments gives the cases.

use crate::compile::Face;
use crate::launcher::Launcher;
use crate::testlist::Lists;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What the files in a suite's folder are.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// C sources, compiled with Open MPI's `mpicc`; each is a case, also when no row names it.
    C,
    /// Fortran sources, the same with its `mpif90`.
    Fortran,
    /// Programs that `prepare` made.
    Binary,
    /// Bash scripts that start an installed program themselves and check what it did (exit 77: skip; a file `counts` has
    /// the numbers of tests that passed, failed and were skipped, where there are many).
    Script,
}

impl Kind {
    /// How the names of its sources end, where it has sources.
    pub fn ending(self) -> Option<&'static str> {
        match self {
            Kind::C => Some("c"),
            Kind::Fortran => Some("f90"),
            Kind::Binary | Kind::Script => None,
        }
    }
}

/// One file of `suites/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// What the suite's files are.
    pub kind: Kind,
    /// The folder of the files, from the repository's root; `{face}` stands for the face's name.
    pub folder: PathBuf,
    /// Lists below the folder that have the rows; the rows of this file are then exceptions from them.
    pub testlists: Option<Lists>,
    /// A script that makes the binaries for `$FACE`; it gets their names, and exit 77 skips the suite with its last line.
    pub prepare: Option<PathBuf>,
    /// What holds for a row that does not say otherwise.
    #[serde(default)]
    pub defaults: Row,
    /// The rows.
    #[serde(default, rename = "case")]
    pub rows: Vec<Row>,
}

/// A row: one program with one list of arguments.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Name of the case.
    #[serde(default)]
    pub name: String,
    /// The file, without its ending (the case's name when not given).
    pub program: Option<String>,
    /// Arguments of the program.
    pub args: Option<Vec<String>>,
    /// Numbers of ranks.
    pub ranks: Option<Vec<u32>>,
    /// Launchers.
    pub on: Option<Vec<Launcher>>,
    /// Time limit in seconds.
    pub limit: Option<u64>,
    /// Exit status that is right: a number, or "failure" for any but 0.
    pub exit: Option<Exit>,
    /// Texts that must be in the output or the error output.
    pub says: Option<Vec<String>>,
    /// Texts of which one must be in either.
    pub says_one: Option<Vec<String>>,
    /// Texts that may not be in either.
    pub never: Option<Vec<String>>,
    /// Whether an installed program wants Open MPI's Fortran library too.
    pub fortran: Option<bool>,
    /// Further flags of the compiler.
    pub flags: Option<Vec<String>>,
    /// Whether standard output must be what the peer prints.
    pub same_output: Option<bool>,
    /// Environment variables.
    pub env: Option<BTreeMap<String, String>>,
    /// Further environments: each makes a case of its own.
    pub with: Option<Vec<BTreeMap<String, String>>>,
    /// Standard input.
    pub input: Option<String>,
    /// Faces for which the program can be compiled (all when not given).
    pub faces: Option<Vec<Face>>,
    /// Files that must exist; otherwise the case is skipped.
    pub needs: Option<Vec<PathBuf>>,
    /// Files that the program writes its results into: when it fails they are shown.
    pub results: Option<Vec<PathBuf>>,
    /// Why it is not run. An empty text in an exception: it is run although a list says that it fails.
    pub skip: Option<String>,
    /// Why it is not run on a face.
    pub skip_on: Option<BTreeMap<Face, String>>,
    /// Whether it belongs to the quick run (yes unless it says no).
    pub quick: Option<bool>,
}

/// The exit status that is right.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Exit {
    /// Exactly this.
    Code(i32),
    /// "failure": any but 0.
    Word(String),
}

impl Exit {
    /// Whether `status` is right.
    pub fn allows(&self, status: i32) -> bool {
        match self {
            Exit::Code(code) => *code == status,
            Exit::Word(_) => status != 0,
        }
    }
}

impl Row {
    /// Seconds that a run may take.
    pub fn limit(&self) -> u64 {
        self.limit.unwrap_or(60)
    }

    /// This row with what it leaves open taken from `defaults`.
    fn over(self, defaults: &Row) -> Row {
        let d = defaults.clone();
        Row {
            name: self.name,
            program: self.program,
            args: self.args.or(d.args),
            ranks: self.ranks.or(d.ranks),
            on: self.on.or(d.on),
            limit: self.limit.or(d.limit),
            exit: self.exit.or(d.exit),
            says: self.says.or(d.says),
            says_one: self.says_one.or(d.says_one),
            never: self.never.or(d.never),
            fortran: self.fortran.or(d.fortran),
            flags: self.flags.or(d.flags),
            same_output: self.same_output.or(d.same_output),
            env: self.env.or(d.env),
            with: self.with.or(d.with),
            input: self.input.or(d.input),
            faces: self.faces.or(d.faces),
            needs: self.needs.or(d.needs),
            results: self.results.or(d.results),
            skip: self.skip.or(d.skip),
            skip_on: self.skip_on.or(d.skip_on),
            quick: self.quick.or(d.quick),
        }
    }

    /// Whether this row, an exception, speaks of `listed`: its program (or all of a folder), arguments and ranks, as far as it names them.
    fn covers(&self, listed: &Row) -> bool {
        let place =
            listed.file() == self.name || self.name.strip_suffix('*').is_some_and(|start| listed.file().starts_with(start));
        let same = |of: &Option<Vec<String>>| self.args.is_none() || self.args == *of;
        place && same(&listed.args) && (self.ranks.is_none() || self.ranks == listed.ranks)
    }

    /// This row with what `exception` says in place of its own.
    fn under(self, exception: &Row) -> Row {
        let (name, program) = (self.name.clone(), self.program.clone());
        let mut row = Row { name, program, ..exception.clone().over(&self) };
        row.skip = row.skip.filter(|reason| !reason.is_empty());
        row
    }

    /// The file's name without ending.
    pub fn file(&self) -> &str {
        self.program.as_deref().unwrap_or(&self.name)
    }
}

/// One thing to run.
#[derive(Clone, Debug)]
pub struct Case {
    /// What to run and what to expect.
    pub row: Row,
    /// On how many ranks.
    pub ranks: u32,
    /// Started how.
    pub on: Launcher,
    /// One of the row's environments.
    pub with: BTreeMap<String, String>,
}

impl Case {
    /// How the case is named in the report.
    pub fn title(&self) -> String {
        let with: String = self.with.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        format!("{} np={} on {}{with}", self.row.name, self.ranks, self.on)
    }
}

/// Reads the file of a suite; `root` is the repository's.
pub fn read(root: &Path, name: &str, face: Face) -> Result<Suite, String> {
    let path = root.join("conformance/suites").join(name).with_extension("toml");
    let text = fs::read_to_string(&path).map_err(|error| format!("no suite {name} ({}: {error})", path.display()))?;
    let mut suite: Suite = toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    suite.folder = suite.folder.display().to_string().replace("{face}", face.name()).into();
    Ok(suite)
}

/// Adds the rows that are listed elsewhere or not at all, and puts the defaults into all.
pub fn complete(suite: &mut Suite, root: &Path) -> Result<(), String> {
    if let Some(ending) = suite.kind.ending() {
        add_unlisted(suite, root, ending)?;
    }
    if let Some(lists) = &suite.testlists {
        suite.rows = except(lists.rows(&root.join(&suite.folder)), &suite.rows)?;
    }
    let rows = std::mem::take(&mut suite.rows);
    suite.rows = rows.into_iter().map(|row| row.over(&suite.defaults)).collect();
    suite.rows.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(())
}

/// The listed rows with what `exceptions` say of them; each must be of some row.
fn except(listed: Vec<Row>, exceptions: &[Row]) -> Result<Vec<Row>, String> {
    let known = |exception: &&Row| listed.iter().any(|row| exception.covers(row));
    if let Some(lost) = exceptions.iter().find(|exception| !known(exception)) {
        return Err(format!("no list has {} {:?} {:?}", lost.name, lost.args, lost.ranks));
    }
    let apply = |row: Row| exceptions.iter().filter(|e| e.covers(&row)).fold(row.clone(), |row, e| row.under(e));
    Ok(listed.into_iter().map(apply).collect())
}

/// A source that no row names is a case too.
fn add_unlisted(suite: &mut Suite, root: &Path, ending: &str) -> Result<(), String> {
    let folder = root.join(&suite.folder);
    let files = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in files.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == ending)) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !suite.rows.iter().any(|row| row.file() == name) {
            suite.rows.push(Row { name, ..Row::default() });
        }
    }
    Ok(())
}

impl Suite {
    /// The cases: rows crossed with ranks, launchers and environments. A program alone is one rank, once.
    pub fn cases(&self, only: &[Launcher], ranks: &[u32]) -> Vec<Case> {
        self.rows.iter().flat_map(|row| cases_of(row, only, ranks)).collect()
    }
}

fn cases_of(row: &Row, only: &[Launcher], ranks: &[u32]) -> Vec<Case> {
    let row_ranks = row.ranks.clone().unwrap_or_else(|| vec![2]);
    let asked = |n: &u32| ranks.is_empty() || ranks.contains(n);
    let environments = row.with.clone().unwrap_or_else(|| vec![BTreeMap::new()]);
    let mut cases = Vec::new();
    for on in launchers(row, only) {
        let counts = if on == Launcher::Alone { vec![1] } else { row_ranks.clone() };
        for &ranks in counts.iter().filter(|n| asked(n)) {
            cases.extend(environments.iter().map(|with| Case { row: row.clone(), ranks, on, with: with.clone() }));
        }
    }
    cases
}

/// The row's launchers that were asked for; the peer itself runs every row when it is asked for.
fn launchers(row: &Row, only: &[Launcher]) -> Vec<Launcher> {
    let of_row = row.on.clone().unwrap_or_else(|| vec![Launcher::Mpiexec]);
    if only.is_empty() {
        return of_row;
    }
    only.iter().copied().filter(|on| *on == Launcher::Peer || of_row.contains(on)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(text: &str) -> Suite {
        let mut suite: Suite = toml::from_str(text).unwrap();
        suite.rows = suite.rows.clone().into_iter().map(|row| row.over(&suite.defaults)).collect();
        suite
    }

    const LIST: &str = r#"
        kind = "c"
        folder = "x"
        [defaults]
        ranks = [2, 4]
        on = ["mpiexec", "alone"]
        [[case]]
        name = "plain"
        [[case]]
        name = "forced"
        on = ["mpiexec"]
        ranks = [3]
        exit = "failure"
        with = [{ A = "1" }, { A = "2" }]
    "#;

    #[test]
    fn a_row_is_crossed_with_ranks_launchers_and_environments() {
        let titles: Vec<String> = suite(LIST).cases(&[], &[]).iter().map(Case::title).collect();
        let expected = [
            "plain np=2 on mpiexec",
            "plain np=4 on mpiexec",
            "plain np=1 on alone",
            "forced np=3 on mpiexec A=1",
            "forced np=3 on mpiexec A=2",
        ];
        assert_eq!(titles, expected);
    }

    #[test]
    fn filters_narrow_and_the_peer_takes_every_row() {
        let titles: Vec<String> = suite(LIST).cases(&[Launcher::Peer], &[2, 3]).iter().map(Case::title).collect();
        assert_eq!(titles, ["plain np=2 on the peer", "forced np=3 on the peer A=1", "forced np=3 on the peer A=2"]);
    }

    #[test]
    fn exceptions_change_the_rows_they_name() {
        let row = |name: &str, args: &[&str]| Row {
            name: name.into(),
            args: Some(args.iter().map(|a| a.to_string()).collect()),
            ranks: Some(vec![2]),
            ..Row::default()
        };
        let listed = || vec![row("a/x", &[]), row("a/x", &["1"]), row("b/y", &[])];
        let skip =
            |name: &str, args: Option<Vec<String>>| Row { name: name.into(), args, skip: Some("why".into()), ..Row::default() };
        let skips = |exception: Row| -> Vec<bool> {
            except(listed(), &[exception]).unwrap().iter().map(|row| row.skip.is_some()).collect()
        };
        assert_eq!(skips(skip("a/x", None)), [true, true, false]);
        assert_eq!(skips(skip("a/x", Some(vec![]))), [true, false, false]);
        assert_eq!(skips(skip("b/*", None)), [false, false, true]);
        assert!(except(listed(), &[skip("c/z", None)]).is_err());
    }

    #[test]
    fn exit_says_what_is_right() {
        assert!(Exit::Word("failure".into()).allows(9) && !Exit::Word("failure".into()).allows(0));
        assert!(Exit::Code(3).allows(3) && !Exit::Code(3).allows(0));
    }

    #[test]
    fn a_misspelt_key_is_an_error() {
        assert!(toml::from_str::<Suite>("kind = \"c\"\nfolder = \"x\"\n[[case]]\nname = \"a\"\nrank = [2]").is_err());
    }
}
