// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lists of tests as MPICH's suite has them: `program ranks key=value ...`, one a line. The keys are described in the head of
//! its `runtests`.

use crate::suite::{Exit, Row};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Where a suite's lists are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lists {
    /// The script that fetches and configures the suite for `$FACE`; exit 77 skips the suite with its last line.
    pub fetch: PathBuf,
    /// Names of the lists in a folder.
    pub files: Vec<String>,
    /// The folders, below the suite's.
    pub directories: Vec<String>,
    /// Programs that are in no list.
    #[serde(default)]
    pub unlisted: Vec<Row>,
}

impl Lists {
    /// The rows of all the lists that exist below `folder`, and of the programs in none.
    pub fn rows(&self, folder: &Path) -> Vec<Row> {
        let each = |directory: &String| self.files.iter().map(move |file| (directory.clone(), file.clone())).collect::<Vec<_>>();
        let lists = self.directories.iter().flat_map(each);
        let text = |directory: &str, file: &str| fs::read_to_string(folder.join(directory).join(file)).unwrap_or_default();
        let listed = lists.flat_map(|(directory, file)| rows_of(&directory, &text(&directory, &file)));
        listed.chain(self.unlisted.iter().cloned()).collect()
    }
}

fn rows_of(directory: &str, text: &str) -> Vec<Row> {
    text.lines().filter_map(|line| row(directory, line)).collect()
}

/// A line's row; none for an empty line, a comment, or the name of a folder (which has no ranks).
fn row(directory: &str, line: &str) -> Option<Row> {
    let mut words = line.split_whitespace();
    let program = format!("{directory}/{}", words.next().filter(|word| !word.starts_with('#'))?);
    let ranks = words.next()?.parse().ok()?;
    let mut row = Row { ranks: Some(vec![ranks]), args: Some(vec![]), ..Row::default() };
    words.filter_map(|word| word.split_once('=')).for_each(|(key, value)| set(&mut row, key, value));
    row.name = [program.clone()].into_iter().chain(row.args.clone().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    row.program = Some(program);
    Some(row)
}

/// What a key says. Not heeded: the memory a test needs, and arguments of MPICH's mpiexec.
fn set(row: &mut Row, key: &str, value: &str) {
    match key {
        "arg" => row.args.get_or_insert_default().push(value.to_owned()),
        "env" => {
            let (name, value) = value.split_once('=').unwrap_or((value, ""));
            row.env.get_or_insert_default().insert(name.to_owned(), value.to_owned());
        }
        "xfail" => row.skip = Some(format!("MPICH itself fails, as its list says ({value})")),
        "timeLimit" => row.limit = value.parse().ok(),
        "resultTest" => {
            row.exit = Some(Exit::Word("failure".into()));
            row.says_one = (value != "TestStatusNoErrors").then(Vec::new);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_are_in_no_list_are_rows_too() {
        let text =
            "fetch = \"f\"\nfiles = [\"testlist\"]\ndirectories = [\"none\"]\n[[unlisted]]\nname = \"basic/self\"\nranks = [1]";
        let rows = toml::from_str::<Lists>(text).unwrap().rows(Path::new("no such folder"));
        assert_eq!(rows.iter().map(Row::file).collect::<Vec<_>>(), ["basic/self"]);
    }

    #[test]
    fn a_line_is_a_program_its_ranks_and_options() {
        let text = "#old 1\n\nnewfolder\nplain 3\nhard 2 arg=-x=1 arg=y env=A=b timeLimit=9 mem=2 resultTest=TestErrFatal\nodd 1 xfail=ticket7\n";
        let rows = rows_of("pt2pt", text);
        assert_eq!(rows.len(), 3);
        assert!(rows[1].skip.is_none() && rows[2].skip.as_ref().unwrap().ends_with("(ticket7)"));
        assert_eq!((rows[0].name.as_str(), rows[0].ranks.clone()), ("pt2pt/plain", Some(vec![3])));
        assert_eq!((rows[1].name.as_str(), rows[1].file()), ("pt2pt/hard -x=1 y", "pt2pt/hard"));
        assert_eq!((rows[1].limit, rows[1].env.as_ref().unwrap()["A"].as_str()), (Some(9), "b"));
        assert!(rows[1].exit.as_ref().unwrap().allows(3) && rows[1].says_one == Some(vec![]));
    }
}
