// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the end of a rank means for the job.

use super::pmi::State;
use std::ffi::CStr;

/// A failure: the job's exit status, and what happened, to be said after the rank's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// From 1 to 255.
    pub code: i32,
    /// "exited with code 3"
    pub text: String,
    /// Whether the other ranks must be ended. Not after finalize: they are about to end, and may still have to write.
    pub ends_job: bool,
}

/// Judges a wait status of a rank that had come so far; `None` if all is well.
pub fn judge(status: i32, state: State) -> Option<Failure> {
    let ends_job = state != State::Done;
    let inside = if state == State::Inside { " without calling MPI_Finalize" } else { "" };
    if libc::WIFSIGNALED(status) {
        let signal = libc::WTERMSIG(status);
        let text = format!("was killed by signal {signal} ({})", signal_name(signal));
        return Some(Failure { code: 128 + signal, text, ends_job });
    }
    match libc::WEXITSTATUS(status) {
        0 if state != State::Inside => None,
        0 => Some(Failure { code: 1, text: format!("exited{inside}"), ends_job }),
        code => Some(Failure { code, text: format!("exited with code {code}{inside}"), ends_job }),
    }
}

/// A rank called MPI_Abort. An exit status holds 8 bits, and 0 would say that all went well.
pub fn abort(code: i32) -> Failure {
    let status = if code & 0xff == 0 { 1 } else { code & 0xff };
    Failure { code: status, text: format!("aborted the job with code {code}"), ends_job: true }
}

/// The system's words for a signal.
pub fn signal_name(signal: i32) -> String {
    // SAFETY: strsignal returns a string, valid until the next call from this thread, or NULL.
    let name = unsafe { libc::strsignal(signal) };
    match name.is_null() {
        true => "unknown".into(),
        // SAFETY: not NULL, so a string.
        false => unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exited(code: i32) -> i32 {
        code << 8
    }

    #[test]
    fn good_ends() {
        assert_eq!(judge(exited(0), State::Silent), None);
        assert_eq!(judge(exited(0), State::Done), None);
    }

    #[test]
    fn bad_ends() {
        let left = judge(exited(0), State::Inside).unwrap();
        assert_eq!((left.code, left.ends_job), (1, true));
        assert!(left.text.contains("without calling MPI_Finalize"));
        let coded = judge(exited(3), State::Silent).unwrap();
        assert_eq!((coded.code, coded.text.as_str(), coded.ends_job), (3, "exited with code 3", true));
        let late = judge(exited(3), State::Done).unwrap();
        assert_eq!((late.code, late.ends_job), (3, false));
        let killed = judge(9, State::Inside).unwrap();
        assert_eq!((killed.code, killed.text.as_str()), (137, "was killed by signal 9 (Killed)"));
    }

    #[test]
    fn abort_is_never_success() {
        assert_eq!(abort(7).code, 7);
        assert_eq!(abort(0).code, 1);
        assert_eq!(abort(256).code, 1);
        assert_eq!(abort(-1).code, 255);
    }
}
