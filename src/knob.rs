// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every tunable is a row: environment name, default, unit, help. Docs, `paceline info` and MPI_T come from the rows.

use std::ffi::OsString;
use std::sync::OnceLock;

use parking_lot::Mutex;

use crate::os;

/// A tunable. Its value is read from the environment once, at first use. One that cannot be read counts as the default, one out of
/// range as the nearest that is allowed, with a notice.
pub struct Knob {
    /// Environment variable.
    pub name: &'static str,
    /// Default, as text.
    pub default: &'static str,
    /// What it may be.
    pub values: Values,
    /// One sentence.
    pub help: &'static str,
    text: OnceLock<String>,
    number: OnceLock<u64>,
}

/// The values that a tunable may have.
pub enum Values {
    /// 1, yes, true, on, or 0, no, false, off.
    Flag,
    /// A number in some unit ("bytes", "us"); suffixes K, M, G are powers of 1024.
    Number {
        /// The unit.
        unit: &'static str,
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
    },
    /// One of some words.
    Choice(&'static [&'static str]),
    /// Rules in a language of their own, which whoever uses them reads.
    Rules,
}

const fn any(unit: &'static str) -> Values {
    Values::Number { unit, least: 0, most: u64::MAX }
}

const fn within(unit: &'static str, least: u64, most: u64) -> Values {
    Values::Number { unit, least, most }
}

impl Values {
    /// In words, for documents: the unit and the range, or the kind of value.
    pub fn describe(&self) -> String {
        match *self {
            Values::Flag => "flag".to_owned(),
            Values::Number { unit, least: 0, most: u64::MAX } => unit.to_owned(),
            Values::Number { unit, least: 0, most } => format!("{unit}, at most {}", short(most)),
            Values::Number { unit, least, most: u64::MAX } => format!("{unit}, at least {}", short(least)),
            Values::Number { unit, least, most } => format!("{unit}, {} to {}", short(least), short(most)),
            Values::Choice(words) => words.join(", "),
            Values::Rules => "rules".to_owned(),
        }
    }

    /// What is wrong with a value, and what is used instead (`None`: the default).
    fn fault(&self, value: &str) -> Result<(), (String, Option<String>)> {
        match *self {
            Values::Flag if parse_flag(value).is_none() => Err(("neither 1 nor 0".to_owned(), None)),
            Values::Number { least, most, .. } => match parse_number(value) {
                None => Err(("not a number".to_owned(), None)),
                Some(number) if number < least => Err((format!("less than {}", short(least)), Some(short(least)))),
                Some(number) if number > most => Err((format!("more than {}", short(most)), Some(short(most)))),
                _ => Ok(()),
            },
            Values::Choice(words) if !words.contains(&value) => Err((format!("none of {}", words.join(", ")), None)),
            _ => Ok(()),
        }
    }
}

impl Knob {
    /// The value in force, as text.
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let given = std::env::var(self.name).ok().filter(|value| !value.is_empty());
            given.map_or_else(|| self.default.to_owned(), |given| self.checked(given))
        })
    }

    fn checked(&self, given: String) -> String {
        let Err((fault, instead)) = self.values.fault(&given) else { return given };
        let instead = instead.unwrap_or_else(|| self.default.to_owned());
        say(format!("{}={given} is {fault}; using {instead}", self.name));
        instead
    }

    /// The value as a number.
    pub fn number(&self) -> u64 {
        *self.number.get_or_init(|| parse_number(self.text()).expect("checked when it was read"))
    }

    /// The value as a flag.
    pub fn flag(&self) -> bool {
        *self.number.get_or_init(|| parse_flag(self.text()).expect("checked when it was read") as u64) != 0
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

/// A complaint about the environment.
pub fn say(text: String) {
    match &mut *VOICE.lock() {
        Voice::Mine => os::say(&format!("paceline: {text}")),
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

/// Complains about values that are not in force, and about names in the environment that look like tunables and are none.
pub fn check_environment() {
    for knob in ALL {
        knob.text();
    }
    strangers(std::env::vars_os().map(|(name, _)| name)).into_iter().for_each(say);
}

fn strangers(names: impl Iterator<Item = OsString>) -> Vec<String> {
    let names = names.filter_map(|name| name.into_string().ok());
    let ours = names.filter(|name| name.to_ascii_uppercase().starts_with("PACELINE_"));
    let known = |name: &str| OTHERS.contains(&name) || ALL.iter().any(|knob| knob.name == name);
    let mut found: Vec<String> = ours.filter(|name| !known(name)).collect();
    found.sort();
    found.iter().map(|name| format!("{name} in the environment means nothing; {}", advice(name))).collect()
}

fn advice(name: &str) -> String {
    let name = name.to_ascii_uppercase();
    let near = ALL.iter().map(|knob| knob.name).min_by_key(|other| distance(&name, other));
    match near.filter(|other| distance(&name, other) <= FAR) {
        Some(other) => format!("did you mean {other}?"),
        None => "`paceline info` has the names that do".to_owned(),
    }
}

/// More letters than this make another word.
const FAR: usize = 2;

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

/// A number with the largest suffix that divides it.
fn short(number: u64) -> String {
    let divided =
        [(30, "G"), (20, "M"), (10, "K")].into_iter().find(|(shift, _)| number != 0 && number.trailing_zeros() >= *shift);
    divided.map_or(number.to_string(), |(shift, suffix)| format!("{}{suffix}", number >> shift))
}

fn parse_flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "true" | "on" => Some(true),
        "no" | "false" | "off" => Some(false),
        number => parse_number(number).map(|n| n != 0),
    }
}

macro_rules! knobs {
    ($($(#[doc = $help:literal])* $id:ident = $name:literal, $default:literal, $values:expr;)*) => {
        $($(#[doc = $help])* pub static $id: Knob = Knob {
            name: $name, default: $default, values: $values, help: concat!($($help),*),
            text: OnceLock::new(), number: OnceLock::new(),
        };)*
        /// Every row, in the order of the table.
        pub static ALL: &[&Knob] = &[$(&$id),*];
    };
}

knobs! {
    /// Print at finalize what was chosen, how often, how many bytes, by which path, and every slow path with its reason.
    REPORT = "PACELINE_REPORT", "0", Values::Flag;
    /// Largest message that is sent without asking the receiver first.
    EAGER = "PACELINE_EAGER", "8K", any("bytes");
    /// The same while a node has more ranks than cores, if PACELINE_EAGER is not set.
    SHARED_EAGER = "PACELINE_SHARED_EAGER", "32K", any("bytes");
    /// Size of the ring from one process to another.
    RING = "PACELINE_RING", "256K", within("bytes", 64 << 10, 64 << 20);
    /// Whether large messages are copied straight between processes: auto (tried at start), off.
    CMA = "PACELINE_CMA", "auto", Values::Choice(&["auto", "off"]);
    /// Smallest message that the sender helps to copy while it waits (inf: none). With more ranks than cores: from 4 MiB on, or when its receiver has more to fetch.
    PUSH = "PACELINE_PUSH", "32K", any("bytes");
    /// Bytes of a message of less than 4 MiB that go ahead through the shared segment between ranks that share a core (0: none).
    AHEAD = "PACELINE_AHEAD", "256K", within("bytes", 0, 256 << 10);
    /// Rules that choose collective algorithms before the built-in ones: collective:bytes:memory:ranks:@algorithm, comma-separated.
    COLL = "PACELINE_COLL", "", Values::Rules;
    /// Packed bytes of one chunk in pipelined collectives (0: the table decides).
    CHUNK = "PACELINE_CHUNK", "0", any("bytes");
    /// Seconds without progress after which a waiting rank says what it waits for (0: never).
    STUCK = "PACELINE_STUCK", "60", any("s");
    /// Which server of the launcher to use: auto (the innermost that answers), pmi1, pmi2, pmix, or singleton (run alone).
    SERVER = "PACELINE_SERVER", "auto", Values::Choice(&["auto", "pmi1", "pmi2", "pmix", "singleton"]);
    /// Seconds that the launcher may take to answer.
    SERVER_LIMIT = "PACELINE_SERVER_LIMIT", "20", any("s");
    /// Seconds that the other processes may take to start.
    PEERS_LIMIT = "PACELINE_PEERS_LIMIT", "120", any("s");
    /// Idle time after which a waiting rank sleeps in the kernel until a peer rings.
    SLEEP_AFTER = "PACELINE_SLEEP_AFTER", "500", any("us");
    /// Polls before a waiting rank yields while a node has more ranks than cores and the other rank is seen to run on another one (0: yield at once).
    SHARED_SPIN = "PACELINE_SHARED_SPIN", "300", within("polls", 0, 2000); // A try as long as a time slice would seem to pay whoever runs.
    /// Time slice that MPI_Init asks for its thread, and the threads and processes that it starts later: a short one does not give a rank more of a core, but soon after it was woken. Linux 6.12 and later (0: as it is).
    SLICE = "PACELINE_SLICE", "100", within("us", 0, 100_000);
    /// Whether waiting ranks keep to a core of their share while a node has more ranks than cores. Nothing is bound.
    SEATS = "PACELINE_SEATS", "1", Values::Flag;
    /// Whether device memory is shared between processes by handles: auto (tried at first use), off.
    GPU_IPC = "PACELINE_GPU_IPC", "auto", Values::Choice(&["auto", "off"]);
    /// Allocations of other processes that are kept mapped, a device: by default 64 or more of each of a node's other ranks.
    GPU_IMPORTS = "PACELINE_GPU_IMPORTS", "512", within("allocations", 1, u64::MAX);
    /// Largest device message that is copied through host memory without asking the receiver first.
    GPU_EAGER = "PACELINE_GPU_EAGER", "8K", any("bytes");
    /// Size of one pinned buffer through which device memory is staged.
    GPU_CHUNK = "PACELINE_GPU_CHUNK", "512K", within("bytes", 32 << 10, 64 << 20);
    /// Most device memory of our own that is kept for the next call, on each device.
    GPU_SCRATCH = "PACELINE_GPU_SCRATCH", "1G", any("bytes");
    /// Longest time after which a thread looks again whether device memory that other ranks have mapped was freed, so that they let it go (0: there is no such thread, and it is held until its address comes up again).
    GPU_FREED = "PACELINE_GPU_FREED", "50", within("ms", 0, 60_000);
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
        let said = strangers(["paceline_Report", "PACELINE_WEATHER"].map(OsString::from).into_iter());
        assert!(said[0].starts_with("PACELINE_WEATHER ") && said[0].contains("`paceline info`"), "{said:?}");
        assert!(said[1].ends_with("did you mean PACELINE_REPORT?"), "{said:?}");
        assert_eq!(["", "recv", "reduce"].map(|word| distance(word, "receive")), [7, 3, 4]);
    }

    #[test]
    fn every_default_is_allowed() {
        for knob in ALL {
            assert!(knob.values.fault(knob.default).is_ok(), "{}", knob.name);
        }
    }

    #[test]
    fn values_out_of_range_become_the_nearest() {
        let fault = |values: Values, value: &str| values.fault(value).unwrap_err();
        let nearest = |text: &str, instead: &str| (text.to_owned(), Some(instead.to_owned()));
        assert_eq!(fault(within("bytes", 64 << 10, 64 << 20), "1"), nearest("less than 64K", "64K"));
        assert_eq!(fault(within("bytes", 64 << 10, 64 << 20), "inf"), nearest("more than 64M", "64M"));
        assert_eq!(fault(any("bytes"), "8Q"), ("not a number".to_owned(), None));
        assert_eq!(fault(Values::Choice(&["auto", "off"]), "on"), ("none of auto, off".to_owned(), None));
        assert_eq!(within("bytes", 64 << 10, 64 << 20).describe(), "bytes, 64K to 64M");
        assert_eq!([short(0), short(2000), short(3 << 30)], ["0", "2000", "3G"]);
    }

    #[test]
    fn values_are_read_in_the_forms_that_people_write() {
        assert_eq!([parse_number("64K"), parse_number("inf"), parse_number("x")], [Some(65536), Some(u64::MAX), None]);
        let flags = ["1", "on", "2", "0", "off", "maybe"].map(parse_flag);
        assert_eq!(flags, [Some(true), Some(true), Some(true), Some(false), Some(false), None]);
    }
}
