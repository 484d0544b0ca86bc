// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line: options until the first word without a dash, which is the program; its words go until a lone `:`,
//! where the next program's options begin.

use super::option::{Meaning, meaning};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

/// What the command line asks for.
#[derive(Debug)]
pub enum Asked {
    /// `--help`
    Help,
    /// `--version`
    Version,
    /// Run a job.
    Run(Job),
}

/// A job: programs with their numbers of ranks.
#[derive(Debug, Default)]
pub struct Job {
    /// The programs; ranks are numbered through them in this order.
    pub apps: Vec<App>,
    /// Variables for all programs.
    pub env: Vec<(String, String)>,
    /// Mark lines with their rank.
    pub tag: bool,
    /// Bind each rank to a core.
    pub bind: bool,
    /// Nobody gets the standard input.
    pub no_stdin: bool,
    /// End the job after this time.
    pub timeout: Option<Duration>,
    /// Say what is done.
    pub verbose: bool,
}

/// A program of a job.
#[derive(Debug, Default)]
pub struct App {
    /// Number of ranks.
    pub count: usize,
    /// Variables of this program's ranks.
    pub env: Vec<(String, String)>,
    /// Working directory.
    pub folder: Option<PathBuf>,
    /// Program and arguments.
    pub words: Vec<OsString>,
}

/// Reads a command line (without the launcher's own name). The error is a sentence for the user.
pub fn parse(words: Vec<OsString>) -> Result<Asked, String> {
    let mut job = Job::default();
    for (index, part) in words.split(|word| word == ":").enumerate() {
        let mut reader = Reader { job: &mut job, app: App::default(), first: index == 0, rest: part.iter() };
        if let Some(asked) = reader.options()? {
            return Ok(asked);
        }
        let app = reader.app;
        if app.words.is_empty() {
            return Err("no program given (see mpiexec --help)".into());
        }
        job.apps.push(app);
    }
    for app in job.apps.iter_mut().filter(|app| app.count == 0) {
        app.count = crate::os::cores();
    }
    Ok(Asked::Run(job))
}

struct Reader<'a> {
    job: &'a mut Job,
    app: App,
    first: bool,
    rest: std::slice::Iter<'a, OsString>,
}

impl Reader<'_> {
    /// Reads options up to the program, and the program's words.
    fn options(&mut self) -> Result<Option<Asked>, String> {
        while let Some(word) = self.rest.next() {
            if word == "--" {
                self.app.words = self.rest.by_ref().cloned().collect();
                break;
            }
            let Some(name) = option_name(word) else {
                self.app.words = std::iter::once(word).chain(self.rest.by_ref()).cloned().collect();
                break;
            };
            let (name, mut given) = match name.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (name, None),
            };
            match meaning(name).ok_or_else(|| format!("unknown option {} (see mpiexec --help)", word.display()))? {
                Meaning::Help => return Ok(Some(Asked::Help)),
                Meaning::Version => return Ok(Some(Asked::Version)),
                what => self.option(name, what, &mut given)?,
            }
        }
        Ok(None)
    }

    fn option(&mut self, name: &str, what: Meaning, given: &mut Option<String>) -> Result<(), String> {
        match what {
            Meaning::Count => self.app.count = count(name, &self.value(name, given)?)?,
            Meaning::PerNode => {
                let per_node = count(name, &self.value(name, given)?)?;
                self.app.count = if self.app.count == 0 { per_node } else { self.app.count };
            }
            Meaning::Export => self.export(name, given)?,
            Meaning::SetAll | Meaning::Set => self.set(what, name, given)?,
            Meaning::Folder => self.app.folder = Some(self.value(name, given)?.into()),
            Meaning::Tag => self.job.tag = true,
            Meaning::Timeout => self.job.timeout = Some(seconds(&self.value(name, given)?)?),
            Meaning::Bind => self.job.bind = binds(&self.value(name, given)?)?,
            Meaning::Stdin => self.job.no_stdin = no_stdin(&self.value(name, given)?)?,
            Meaning::Hosts => here(self.value(name, given)?.split(','))?,
            Meaning::HostFile => host_file(&self.value(name, given)?)?,
            Meaning::Verbose => self.job.verbose = true,
            Meaning::Ignored(words) => (0..words).try_for_each(|_| self.value(name, given).map(drop))?,
            Meaning::Help | Meaning::Version => {}
        }
        Ok(())
    }

    /// The option's next word (or what stood behind its `=`).
    fn value(&mut self, name: &str, given: &mut Option<String>) -> Result<String, String> {
        if let Some(value) = given.take() {
            return Ok(value);
        }
        let word = self.rest.next().ok_or_else(|| format!("-{name} lacks its value"))?;
        word.to_str().map(str::to_owned).ok_or_else(|| format!("the value of -{name} is not UTF-8"))
    }

    /// `-x NAME` passes a variable on, which happens anyway. As in Open MPI, what stands before the first `:` is for all.
    fn export(&mut self, name: &str, given: &mut Option<String>) -> Result<(), String> {
        let text = self.value(name, given)?;
        if let Some((name, value)) = text.split_once('=') {
            named(name, &text)?;
            let target = if self.first { &mut self.job.env } else { &mut self.app.env };
            target.push((name.into(), value.into()));
        }
        Ok(())
    }

    fn set(&mut self, what: Meaning, name: &str, given: &mut Option<String>) -> Result<(), String> {
        let word = self.value(name, given)?;
        let pair = match word.split_once('=') {
            Some((variable, value)) => (variable.to_owned(), value.to_owned()),
            None => (word, self.value(name, given)?),
        };
        named(&pair.0, &pair.1)?;
        match what {
            Meaning::SetAll => self.job.env.push(pair),
            _ => self.app.env.push(pair),
        }
        Ok(())
    }
}

/// The word without its one or two dashes, if it is an option.
fn option_name(word: &OsStr) -> Option<&str> {
    let text = word.to_str()?.strip_prefix('-')?;
    Some(text.strip_prefix('-').unwrap_or(text)).filter(|name| !name.is_empty())
}

fn count(name: &str, text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (1..=65536).contains(n));
    number.ok_or_else(|| format!("-{name} {text}: the number of ranks must be from 1 to 65536"))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().ok().filter(|&s: &f64| s <= 1e9).and_then(|s| Duration::try_from_secs_f64(s).ok());
    number.ok_or_else(|| format!("--timeout {text}: not a number of seconds (at most 1e9)"))
}

fn binds(text: &str) -> Result<bool, String> {
    match text.split(':').next().unwrap_or_default() {
        "none" | "board" | "socket" | "numa" | "package" | "l1cache" | "l2cache" | "l3cache" => Ok(false),
        "core" | "hwthread" => Ok(true),
        _ => Err(format!("--bind-to {text}: core or none")),
    }
}

fn no_stdin(text: &str) -> Result<bool, String> {
    match text {
        "none" => Ok(true),
        "0" => Ok(false),
        _ => Err(format!("--stdin {text}: only rank 0 (0) or nobody (none) can read the standard input")),
    }
}

/// Refuses a variable without a name.
fn named(name: &str, given: &str) -> Result<(), String> {
    if name.is_empty() { Err(format!("an environment variable needs a name: {given}")) } else { Ok(()) }
}

/// Refuses hosts other than this machine.
fn here<'a>(hosts: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let own = super::os::host_name();
    for host in hosts.map(|h| h.split(':').next().unwrap_or(h).trim()).filter(|h| !h.is_empty()) {
        let short = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
        if !(host == "localhost" || host.starts_with("127.") || host == own || short(host) == short(&own)) {
            return Err(format!(
                "host {host} is not this machine ({own}): Paceline runs the ranks of one machine, it does not connect \
                 several yet"
            ));
        }
    }
    Ok(())
}

fn host_file(path: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read host file {path}: {e}"))?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    here(lines.filter_map(|line| line.split_ascii_whitespace().next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(line: &str) -> Job {
        match parse(line.split(' ').map(OsString::from).collect()).unwrap() {
            Asked::Run(job) => job,
            other => panic!("{other:?}"),
        }
    }

    fn error(line: &str) -> String {
        parse(line.split(' ').filter(|w| !w.is_empty()).map(OsString::from).collect()).unwrap_err()
    }

    #[test]
    fn count_program_and_its_own_flags() {
        let job = job("-np 4 --tag-output ./a.out -n 7 --help");
        assert!(job.tag);
        assert_eq!(job.apps[0].count, 4);
        assert_eq!(job.apps[0].words, ["./a.out", "-n", "7", "--help"]);
    }

    #[test]
    fn several_programs() {
        let job = job("-x A=1 -n 1 a x : -n 2 -x B=2 -env C 3 --wdir /tmp b : -genv D 4 c");
        assert_eq!(job.apps.len(), 3);
        assert_eq!(job.env, [("A".to_owned(), "1".to_owned()), ("D".to_owned(), "4".to_owned())]);
        assert_eq!(job.apps[1].env, [("B".to_owned(), "2".to_owned()), ("C".to_owned(), "3".to_owned())]);
        assert_eq!(job.apps[1].folder, Some(PathBuf::from("/tmp")));
        assert_eq!((job.apps[0].count, job.apps[1].count), (1, 2));
        assert!(job.apps[2].count >= 1);
    }

    #[test]
    fn foreign_flags_are_taken() {
        let job =
            job("--allow-run-as-root --oversubscribe --mca btl self,vader --map-by=slot --bind-to core -host localhost:4 -n 2 a");
        assert!(job.bind);
        assert_eq!((job.apps[0].count, job.apps[0].words.len()), (2, 1));
        assert!(matches!(parse(vec!["--version".into()]), Ok(Asked::Version)));
        assert!(matches!(parse(vec!["-n".into(), "2".into(), "-h".into()]), Ok(Asked::Help)));
    }

    #[test]
    fn variables_are_set_in_either_form() {
        let job = job("-genv A 1 -genv B=2 -n 1 -env C=3 -- -a b");
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!((job.env, job.apps[0].env.clone()), (vec![pair("A", "1"), pair("B", "2")], vec![pair("C", "3")]));
        assert_eq!(job.apps[0].words, ["-a", "b"]);
    }

    #[test]
    fn mistakes_are_named() {
        assert!(error("-n 0 a").contains("from 1 to 65536"));
        assert!(error("-n").contains("lacks its value"));
        assert!(error("-n 2").contains("no program"));
        assert!(error("-n 2 a :").contains("no program"));
        assert!(error("--frobnicate a").contains("-frobnicate"));
        assert!(error("-host elsewhere.example -n 2 a").contains("elsewhere.example"));
        assert!(error("--timeout soon a").contains("soon"));
    }
}
