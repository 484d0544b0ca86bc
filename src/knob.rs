// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every tunable is a row: environment name, default, unit, help. Docs, `paceline info` and MPI_T come from the rows.

use std::ffi::OsString;
use std::sync::OnceLock;

use parking_lot::Mutex;

/// A tunable. Its value is read from the environment once, at first use.
pub struct Knob {
    /// Environment variable.
    pub name: &'static str,
    /// Default, as text.
    pub default: &'static str,
    /// Unit of the value ("bytes", "us", "flag", "choice", "rules", "text").
    pub unit: &'static str,
    /// One sentence.
    pub help: &'static str,
    value: OnceLock<String>,
    number: OnceLock<u64>,
}

impl Knob {
    /// The value as text.
    pub fn text(&self) -> &str {
        self.value
            .get_or_init(|| std::env::var(self.name).ok().filter(|v| !v.is_empty()).unwrap_or_else(|| self.default.to_owned()))
    }

    /// The value as a number; suffixes K, M, G are powers of 1024. An unreadable value counts as the default, with a notice.
    pub fn number(&self) -> u64 {
        *self.number.get_or_init(|| {
            parse_number(self.text()).unwrap_or_else(|| {
                self.complain("not a number");
                parse_number(self.default).unwrap_or(0)
            })
        })
    }

    /// The value as a flag: a number that is not 0, yes, true, on. Something else counts as the default, with a notice.
    pub fn flag(&self) -> bool {
        *self.number.get_or_init(|| {
            parse_flag(self.text()).unwrap_or_else(|| {
                self.complain("neither 1 nor 0");
                parse_flag(self.default).unwrap_or(false)
            }) as u64
        }) != 0
    }

    /// The value as one of some words. Another counts as the default, with a notice.
    pub fn choice(&self, words: &[&'static str]) -> &'static str {
        let known = |text: &str| words.iter().copied().find(|word| *word == text);
        known(self.text()).unwrap_or_else(|| {
            self.number.get_or_init(|| {
                self.complain(&format!("none of {}", words.join(", ")));
                0
            });
            self.default
        })
    }

    fn complain(&self, what: &str) {
        say(format!("{}={} is {what}; using {}", self.name, self.text(), self.default));
    }

    /// Whether the user set it.
    pub fn is_set(&self) -> bool {
        self.text() != self.default
    }
}

/// Whether complaints are printed: every rank has the same, and one shall say them.
enum Voice {
    /// By this process.
    Mine,
    /// Not known yet: they are kept.
    Undecided(Vec<String>),
    /// By another.
    Others,
}

static VOICE: Mutex<Voice> = Mutex::new(Voice::Mine);

fn say(text: String) {
    match &mut *VOICE.lock() {
        Voice::Mine => eprintln!("paceline: {text}"),
        Voice::Undecided(kept) => kept.push(text),
        Voice::Others => {}
    }
}

/// From now on complaints about values are kept until [`speak`].
pub fn hold() {
    *VOICE.lock() = Voice::Undecided(Vec::new());
}

/// Whether this process says the complaints, also those that were kept.
pub fn speak(mine: bool) {
    let before = std::mem::replace(&mut *VOICE.lock(), if mine { Voice::Mine } else { Voice::Others });
    if let (true, Voice::Undecided(kept)) = (mine, before) {
        kept.into_iter().for_each(say);
    }
}

/// Names with our prefix that are no tunables: of the compiler wrappers and of the tests.
const OTHERS: [&str; 3] = ["PACELINE_CC", "PACELINE_CXX", "PACELINE_MPI_H"];

/// Complains about names in the environment that look like tunables and are none.
pub fn complain_of_strangers() {
    strangers(std::env::vars_os().map(|(name, _)| name)).into_iter().for_each(say);
}

fn strangers(names: impl Iterator<Item = OsString>) -> Vec<String> {
    let ours = names.filter_map(|name| name.into_string().ok()).filter(|name| name.starts_with("PACELINE_"));
    let known = |name: &str| OTHERS.contains(&name) || ALL.iter().any(|knob| knob.name == name);
    let mut found: Vec<String> = ours.filter(|name| !known(name)).collect();
    found.sort();
    let near = |name: &str| ALL.iter().map(|knob| knob.name).min_by_key(|other| distance(name, other)).unwrap_or_default();
    found.iter().map(|name| format!("{name} in the environment means nothing; did you mean {}?", near(name))).collect()
}

/// How many letters to change, add or leave out to make one word of the other (Levenshtein, 1966).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Reads "64K" and the like; `inf` is the largest number.
pub fn parse_number(text: &str) -> Option<u64> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("inf") {
        return Some(u64::MAX);
    }
    let (digits, shift) = match text.as_bytes().last()?.to_ascii_uppercase() {
        b'K' => (&text[..text.len() - 1], 10),
        b'M' => (&text[..text.len() - 1], 20),
        b'G' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

fn parse_flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "true" | "on" => Some(true),
        "no" | "false" | "off" => Some(false),
        number => parse_number(number).map(|n| n != 0),
    }
}

macro_rules! knobs {
    ($($(#[doc = $help:literal])* $id:ident = $name:literal, $default:literal, $unit:literal;)*) => {
        $($(#[doc = $help])* pub static $id: Knob = Knob {
            name: $name, default: $default, unit: $unit, help: concat!($($help),*),
            value: OnceLock::new(), number: OnceLock::new(),
        };)*
        /// Every row, in the order of the table.
        pub static ALL: &[&Knob] = &[$(&$id),*];
    };
}

knobs! {
    /// Print at finalize what was chosen, how often, how many bytes, by which path, and every slow path with its reason.
    REPORT = "PACELINE_REPORT", "0", "flag";
    /// Largest message that is sent without asking the receiver first.
    EAGER = "PACELINE_EAGER", "8K", "bytes";
    /// The same while a node has more ranks than cores, if PACELINE_EAGER is not set.
    SHARED_EAGER = "PACELINE_SHARED_EAGER", "32K", "bytes";
    /// Size of the ring from one process to another.
    RING = "PACELINE_RING", "256K", "bytes";
    /// Whether large messages are copied straight between processes: auto (tried at start), off.
    CMA = "PACELINE_CMA", "auto", "choice";
    /// Smallest message that the sender helps to copy while it waits (inf: none). With more ranks than cores: from 4 MiB on, or when its receiver has more to fetch.
    PUSH = "PACELINE_PUSH", "32K", "bytes";
    /// Bytes of a message of less than 4 MiB that go ahead through the shared segment between ranks that share a core (0: none; at most 256K).
    AHEAD = "PACELINE_AHEAD", "256K", "bytes";
    /// Rules that choose collective algorithms before the built-in ones: collective:bytes:memory:ranks:@algorithm, comma-separated.
    COLL = "PACELINE_COLL", "", "rules";
    /// Packed bytes of one chunk in pipelined collectives (0: the table decides).
    CHUNK = "PACELINE_CHUNK", "0", "bytes";
    /// Seconds without progress after which a waiting rank says what it waits for (0: never).
    STUCK = "PACELINE_STUCK", "60", "s";
    /// Which server of the launcher to use: auto (the innermost that answers), pmi1, pmi2, pmix, or singleton (run alone).
    SERVER = "PACELINE_SERVER", "auto", "choice";
    /// Seconds that the launcher may take to answer.
    SERVER_LIMIT = "PACELINE_SERVER_LIMIT", "20", "s";
    /// Seconds that the other processes may take to start.
    PEERS_LIMIT = "PACELINE_PEERS_LIMIT", "120", "s";
    /// Idle time after which a waiting rank sleeps in the kernel until a peer rings.
    SLEEP_AFTER = "PACELINE_SLEEP_AFTER", "500", "us";
    /// Polls before a waiting rank yields while a node has more ranks than cores and the other rank is seen to run on another one (0: yield at once; at most 2000).
    SHARED_SPIN = "PACELINE_SHARED_SPIN", "300", "polls";
    /// Whether waiting ranks keep to a core of their share while a node has more ranks than cores. Nothing is bound.
    SEATS = "PACELINE_SEATS", "1", "flag";
    /// Whether device memory is shared between processes by handles: auto (tried at first use), off.
    GPU_IPC = "PACELINE_GPU_IPC", "auto", "choice";
    /// Allocations of other processes that are kept mapped, a device.
    GPU_IMPORTS = "PACELINE_GPU_IMPORTS", "64", "allocations";
    /// Largest device message that is copied through host memory without asking the receiver first.
    GPU_EAGER = "PACELINE_GPU_EAGER", "8K", "bytes";
    /// Size of one pinned buffer through which device memory is staged.
    GPU_CHUNK = "PACELINE_GPU_CHUNK", "512K", "bytes";
    /// Device memory of our own that is kept for the next call.
    GPU_SCRATCH = "PACELINE_GPU_SCRATCH", "1G", "bytes";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_gets_the_nearest() {
        let names = ["PACELINE_EAGR", "PACELINE_EAGER", "PACELINE_CC", "PATH", "PACELINE_GPU_CHUNKS"].map(OsString::from);
        let said = strangers(names.into_iter());
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].starts_with("PACELINE_EAGR ") && said[0].ends_with("did you mean PACELINE_EAGER?"), "{said:?}");
        assert!(said[1].ends_with("did you mean PACELINE_GPU_CHUNK?"), "{said:?}");
        assert_eq!(["", "recv", "reduce"].map(|word| distance(word, "receive")), [7, 3, 4]);
    }

    #[test]
    fn values_are_read_in_the_forms_that_people_write() {
        assert_eq!([parse_number("64K"), parse_number("inf"), parse_number("x")], [Some(65536), Some(u64::MAX), None]);
        let flags = ["1", "on", "2", "0", "off", "maybe"].map(parse_flag);
        assert_eq!(flags, [Some(true), Some(true), Some(true), Some(false), Some(false), None]);
    }
}
