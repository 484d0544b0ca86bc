// SPDX-License-Identifier: MIT OR Apache-2.0
//! A rank that meets its peers through the launcher alone, without messages, and then does what its arguments say.
//!
//! `meet [VERB [RANK [CODE]]]`: `say` (the default: print who everybody is), `application`
//! (print rank and the program's number in the job), `exit`, `abort`, `kill`, `leave` (exit 0
//! without saying good-bye) on that rank while the others wait; `hang`: all wait.

use paceline::bootstrap::{self, Server};
use std::time::Duration;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words.get(at).and_then(|w| w.parse::<i32>().ok()).unwrap_or(0);
    let mut server = bootstrap::connect().unwrap_or_else(|error| {
        eprintln!("meet: {error}");
        std::process::exit(9);
    });
    let everybody = meet(&mut *server);
    let verb = words.first().map_or("say", String::as_str);
    match verb {
        "say" => {
            println!("{} of {} by {}: {}", server.rank(), server.size(), server.name(), everybody.join(" "));
            server.finalize().unwrap();
        }
        "application" => {
            println!("{} {}", server.rank(), server.application());
            server.finalize().unwrap();
        }
        _ if verb != "hang" && server.rank() as i32 == number(1) => act(verb, number(2), &mut *server),
        _ => std::thread::sleep(Duration::from_secs(60)),
    }
}

fn meet(server: &mut dyn Server) -> Vec<String> {
    server.put("name", &format!("r{} = here", server.rank())).unwrap();
    server.fence().unwrap();
    (0..server.size()).map(|rank| server.get(rank, "name").unwrap().replace(" = here", "")).collect()
}

fn act(verb: &str, code: i32, server: &mut dyn Server) {
    match verb {
        "exit" => std::process::exit(code),
        "leave" => std::process::exit(0),
        "abort" => {
            server.abort(code, "because it was told to");
            std::thread::sleep(Duration::from_secs(60));
        }
        // SAFETY: ends this process.
        "kill" => unsafe {
            libc::raise(libc::SIGKILL);
        },
        _ => panic!("no such verb: {verb}"),
    }
}
