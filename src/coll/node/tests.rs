// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads as ranks over an area on the heap: random sequences of operations, sizes and roots against the plain answer; then one case
//! each of calls that differ, fail or are refused. One file of over 600 lines: all stand on the same threads and heap.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::*};
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::area::{self, Area};
use super::call::Call;
use super::mates::Mates;
use super::star::{self, Target};
use super::two_shot::{self, Work};
use super::{allreduce, barrier, bcast};
use crate::coll::registry::Collective;
use crate::object::error::{Class, Result};

/// Letters for ranks whose reads fail, by (from, to, tag).
type Post = Mutex<Vec<((usize, usize, i32), Vec<u8>)>>;

struct Threads<'a> {
    rank: usize,
    size: usize,
    post: &'a Post,
    /// Reads that still work on this rank.
    reads: AtomicU64,
}

enum Letter {
    Sent,
    Awaited { from: usize, tag: i32, to: *mut u8, len: usize },
}

impl Mates for Threads<'_> {
    type Message = Letter;

    fn wait(&self, what: impl std::fmt::Display, mut ready: impl FnMut() -> bool) {
        let start = Instant::now();
        while !ready() {
            std::thread::yield_now();
            assert!(start.elapsed() < Duration::from_secs(30), "rank {} of {} waits for ever for {what}", self.rank, self.size);
        }
    }

    fn ring(&self, _rank: usize) {
        // As the engine's: what was posted is seen by whoever goes to sleep.
        std::sync::atomic::fence(SeqCst);
    }

    fn begun(&self) -> u32 {
        1
    }

    fn spins(&self) -> u32 {
        3
    }

    fn can_read(&self) -> bool {
        true
    }

    unsafe fn read(&self, _rank: usize, remote: usize, local: *mut u8, len: usize) -> io::Result<()> {
        if self.reads.load(Relaxed) == 0 {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        self.reads.fetch_sub(1, Relaxed);
        // SAFETY: the remote rank is a thread of this process and keeps its buffer until it is told.
        unsafe { (remote as *const u8).copy_to_nonoverlapping(local, len) };
        Ok(())
    }

    unsafe fn write(&self, _rank: usize, remote: usize, local: *const u8, len: usize) -> io::Result<()> {
        if self.reads.load(Relaxed) == 0 {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        // SAFETY: the remote rank is a thread of this process that waits for these bytes.
        unsafe { local.copy_to_nonoverlapping(remote as *mut u8, len) };
        Ok(())
    }

    unsafe fn send(&self, rank: usize, tag: i32, data: *const u8, len: usize) -> Result<Letter> {
        // SAFETY: the caller's promise.
        let data = unsafe { std::slice::from_raw_parts(data, len) }.to_vec();
        self.post.lock().unwrap().push(((self.rank, rank, tag), data));
        Ok(Letter::Sent)
    }

    unsafe fn receive(&self, rank: usize, tag: i32, data: *mut u8, len: usize) -> Letter {
        Letter::Awaited { from: rank, tag, to: data, len }
    }

    fn finish(&self, message: &mut Letter) -> Option<Result<()>> {
        let Letter::Awaited { from, tag, to, len } = message else { return Some(Ok(())) };
        let mut post = self.post.lock().unwrap();
        let found = post.iter().position(|(key, _)| *key == (*from, self.rank, *tag))?;
        let (_, data) = post.swap_remove(found);
        assert_eq!(data.len(), *len);
        // SAFETY: the caller's promise for `to`.
        unsafe { data.as_ptr().copy_to_nonoverlapping(*to, *len) };
        Some(Ok(()))
    }
}

/// Zeroed memory for an area.
struct Ground(Vec<u8>);

impl Ground {
    fn new(size: usize) -> Ground {
        Ground(vec![0; area::bytes(size) + 4096])
    }

    fn base(&mut self) -> *mut u8 {
        let start = self.0.as_mut_ptr();
        start.wrapping_add(start.align_offset(4096))
    }
}

/// Runs `rank` on every rank; `reads` says how many reads work on each.
fn ranks(size: usize, reads: impl Fn(usize) -> u64, rank: impl Fn(&Area<Threads>) + Sync) {
    let mut ground = Ground::new(size);
    let base = ground.base() as usize;
    let post = Post::default();
    std::thread::scope(|scope| {
        for me in 0..size {
            let (rank, post, reads) = (&rank, &post, reads(me));
            scope.spawn(move || {
                let mates = Threads { rank: me, size, post, reads: AtomicU64::new(reads) };
                // SAFETY: zeroed memory of the right size that outlives the threads.
                rank(&unsafe { Area::new(base as *mut u8, &mates, me, size) });
            });
        }
    });
    assert!(post.lock().unwrap().is_empty(), "letters nobody fetched");
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Barrier,
    Bcast { root: usize, len: usize },
    Allreduce { len: usize, in_place: bool },
    Reduce { root: usize, len: usize },
    Star { root: usize, len: usize, pieces: bool },
    TwoShot { root: Option<usize>, count: usize, in_place: bool, commutative: bool },
}

fn step() -> impl Strategy<Value = Step> {
    let small = prop_oneof![2 => 0..20usize, 2 => 40..60usize, 2 => 1000..=area::SHEET, 1 => area::SHEET + 1..=area::BROAD];
    let large = prop_oneof![1..300usize, 10_000..60_000usize];
    prop_oneof![
        Just(Step::Barrier),
        (0..64usize, small.clone()).prop_map(|(root, len)| Step::Bcast { root, len }),
        (small.clone(), any::<bool>()).prop_map(|(len, in_place)| Step::Allreduce { len, in_place }),
        (0..64usize, small).prop_map(|(root, len)| Step::Reduce { root, len }),
        (0..64usize, prop_oneof![1..1000usize, 60_000..400_000usize], any::<bool>()).prop_map(|(root, len, pieces)| Step::Star {
            root,
            len,
            pieces
        }),
        (proptest::option::of(0..64usize), large, any::<bool>(), any::<bool>())
            .prop_map(|(root, count, in_place, commutative)| Step::TwoShot { root, count, in_place, commutative }),
    ]
}

/// A byte of rank `r` in step `k`.
fn byte(r: usize, k: usize, i: usize) -> u8 {
    (r * 7 + k * 13 + i * 31 + (i >> 8)) as u8
}

fn contribution(r: usize, k: usize, len: usize) -> Vec<u8> {
    (0..len).map(|i| byte(r, k, i)).collect()
}

/// Affine maps x -> a x + b mod 2^16, composed: associative, not commutative.
type Affine = [u16; 2];

fn affine(r: usize, k: usize, i: usize) -> Affine {
    [(2 * (r + i) + 3) as u16, (k * 17 + r * 5 + i) as u16]
}

fn compose(left: Affine, right: Affine) -> Affine {
    [left[0].wrapping_mul(right[0]), left[0].wrapping_mul(right[1]).wrapping_add(left[1])]
}

fn xor(len: usize) -> impl Fn(*const u8, *mut u8) {
    // SAFETY: the algorithms promise `len` bytes at both.
    move |input, inout| unsafe {
        for i in 0..len {
            *inout.add(i) ^= *input.add(i);
        }
    }
}

fn pairs(two: &dyn Fn(*const u8, *mut u8)) -> allreduce::Combine<'_> {
    allreduce::Combine { two, all: None }
}

fn run(area: &Area<Threads>, k: usize, step: Step) {
    let (me, n) = (area.rank, area.size);
    match step {
        Step::Barrier => barrier::barrier(area).unwrap(),
        Step::Bcast { root, len } => {
            let call = Call { root: (root % n) as u16, ..Call::new(Collective::Bcast, len as u64) };
            let data = contribution(root % n, k, len);
            if me == root % n {
                // SAFETY: posts hold `len` bytes.
                bcast::give(area, &call, |to| unsafe { data.as_ptr().copy_to_nonoverlapping(to, len) }).unwrap();
            } else {
                // SAFETY: as above.
                let same = |from: *const u8| assert_eq!(unsafe { std::slice::from_raw_parts(from, len) }, data);
                bcast::take(area, &call, same).unwrap();
            }
        }
        Step::Allreduce { len, in_place } => {
            let call = Call::new(Collective::Allreduce, len as u64);
            let mut result = contribution(me, k, len);
            let input = result.clone();
            let input = if in_place { result.as_ptr() } else { input.as_ptr() };
            // SAFETY: all hold `len` bytes.
            let at_once = |inputs: &[*const u8], out: *mut u8| unsafe {
                let byte = |i: usize| inputs.iter().fold(0, |x, input| x ^ *input.add(i));
                (0..len).for_each(|i| *out.add(i) = byte(i));
            };
            let all: Option<allreduce::AtOnce> = if k.is_multiple_of(2) { None } else { Some(&at_once) };
            let combine = allreduce::Combine { two: &xor(len), all };
            // SAFETY: both hold `len` bytes.
            unsafe { allreduce::all(area, &call, input, result.as_mut_ptr(), combine).unwrap() };
            assert!((0..len).all(|i| result[i] == (0..n).fold(0, |x, r| x ^ byte(r, k, i))));
        }
        Step::Reduce { root, len } => {
            let call = Call { root: (root % n) as u16, ..Call::new(Collective::Reduce, len as u64) };
            let (input, mut result) = (contribution(me, k, len), vec![0; len]);
            // SAFETY: both hold `len` bytes.
            unsafe { allreduce::to_root(area, &call, input.as_ptr(), result.as_mut_ptr(), pairs(&xor(len))).unwrap() };
            assert!(me != root % n || (0..len).all(|i| result[i] == (0..n).fold(0, |x, r| x ^ byte(r, k, i))));
        }
        Step::Star { root, len, pieces } => run_star(area, k, root % n, len, pieces),
        Step::TwoShot { root, count, in_place, commutative } => {
            run_two_shot(area, k, root.map(|r| r % n), count, in_place, commutative)
        }
    }
}

fn run_star(area: &Area<Threads>, k: usize, root: usize, len: usize, pieces: bool) {
    let call = Call { root: root as u16, ..Call::new(Collective::Bcast, len as u64) };
    let data = contribution(root, k, len);
    if area.rank == root {
        // SAFETY: `data` holds `len` bytes.
        unsafe { star::give(area, &call, data.as_ptr()).unwrap() };
        return;
    }
    let mut got = vec![0u8; len];
    let to = got.as_mut_ptr();
    // SAFETY: pieces lie inside `got`.
    let mut each = |at: usize, piece: &[u8]| unsafe { piece.as_ptr().copy_to_nonoverlapping(to.add(at), piece.len()) };
    let target = if pieces { Target::Pieces(&mut each) } else { Target::Plain(to) };
    // SAFETY: `got` holds `len` bytes.
    unsafe { star::take(area, &call, target).unwrap() };
    assert!(got == data);
}

fn run_two_shot(area: &Area<Threads>, k: usize, root: Option<usize>, count: usize, in_place: bool, commutative: bool) {
    let (me, n) = (area.rank, area.size);
    let mut result: Vec<Affine> = (0..count).map(|i| affine(me, k, i)).collect();
    let input = result.clone();
    let wants = root.is_none_or(|r| r == me);
    let part = two_shot::slice(count, 4, me, n);
    let mut room = vec![0u8; part.len()];
    let place = if wants { result.as_mut_ptr().cast() } else { room.as_mut_ptr().wrapping_sub(part.start) };
    let input = if in_place && wants { place.cast_const() } else { input.as_ptr().cast() };
    // SAFETY: the algorithms promise `count` elements at both.
    let combine = |count: usize, input: *const u8, inout: *mut u8| unsafe {
        for i in 0..count {
            let (l, r) = (input.cast::<Affine>().add(i).read_unaligned(), inout.cast::<Affine>().add(i).read_unaligned());
            let both = if commutative { [l[0] ^ r[0], l[1].wrapping_add(r[1])] } else { compose(l, r) };
            inout.cast::<Affine>().add(i).write_unaligned(both);
        }
    };
    let work = Work { input, result: place, count, element: 4, commutative, combine: &combine, root };
    let call = Call { root: root.unwrap_or(0) as u16, ..Call::new(Collective::Allreduce, 4 * count as u64) };
    // SAFETY: buffers as `Work` wants them.
    unsafe { two_shot::run(area, &call, &work).unwrap() };
    let plain = |l: Affine, r: Affine| if commutative { [l[0] ^ r[0], l[1].wrapping_add(r[1])] } else { compose(l, r) };
    let expected = |i: usize| (0..n).map(|r| affine(r, k, i)).reduce(plain).unwrap();
    assert!(!wants || (0..count).all(|i| result[i] == expected(i)), "{root:?} {count} {in_place} {commutative}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_gives_the_plain_answer(size in 2..9usize, steps in prop::collection::vec(step(), 1..40)) {
        ranks(size, |_| u64::MAX, |area| steps.iter().enumerate().for_each(|(k, &s)| run(area, k, s)));
    }

    #[test]
    fn a_rank_whose_reads_stop_is_helped(
        size in 2..6usize,
        reads in prop::collection::vec(0..12u64, 6),
        steps in prop::collection::vec(step(), 1..20),
    ) {
        let reads = |r: usize| if reads[r] > 7 { u64::MAX } else { reads[r] };
        ranks(size, reads, |area| steps.iter().enumerate().for_each(|(k, &s)| run(area, k, s)));
    }
}

#[test]
fn a_root_runs_ahead_but_never_over_unread_slots() {
    static AHEAD: AtomicUsize = AtomicUsize::new(0);
    ranks(
        3,
        |_| u64::MAX,
        |area| {
            for k in 0..20_000 {
                let len = if k % 1000 < 900 { 8 } else { 100 };
                run(area, k, Step::Bcast { root: 1, len });
                if area.rank == 1 {
                    AHEAD.store(k, Relaxed);
                } else if k == 0 {
                    let start = Instant::now();
                    while AHEAD.load(Relaxed) < 20 && start.elapsed() < Duration::from_secs(10) {
                        std::thread::yield_now();
                    }
                    assert!(AHEAD.load(Relaxed) >= 20, "the root waited for a reader that was {} behind", AHEAD.load(Relaxed));
                }
            }
        },
    );
}

#[test]
fn different_calls_at_the_same_point_are_an_error_that_names_both() {
    let said = Mutex::new(Vec::new());
    ranks(
        2,
        |_| u64::MAX,
        |area| {
            let count = [1088u64, 1142][area.rank];
            let call = Call { element: 4, ..Call::new(Collective::Allreduce, 4 * count) };
            let mut buffer = vec![0u8; 4 * count as usize];
            let whole = buffer.as_mut_ptr();
            // SAFETY: the buffer holds the bytes.
            let outcome = unsafe { allreduce::all(area, &call, whole, whole, pairs(&xor(0))) };
            said.lock().unwrap().push(outcome.unwrap_err());
        },
    );
    let said = said.into_inner().unwrap();
    assert!(said.iter().all(|e| e.text().contains("count 1088") && e.text().contains("count 1142") && e.text().contains("rank")));
    assert!(said.iter().any(|e| e.code() == Class::Truncate as i32));
    ranks(
        2,
        |_| u64::MAX,
        |area| {
            let kind = [Collective::Bcast, Collective::Allreduce][area.rank];
            if area.rank == 0 {
                // It may see already what rank 1 posted.
                let _ = bcast::give(area, &Call::new(kind, 4), |_| ());
            } else {
                let mut buffer = [0u8; 4];
                let whole = buffer.as_mut_ptr();
                // SAFETY: the buffer holds the bytes.
                let error = unsafe { allreduce::all(area, &Call::new(kind, 4), whole, whole, pairs(&xor(4))) };
                // Rank 1 reads itself first; rank 0's post is what it stumbles over.
                let error = error.unwrap_err();
                assert!(error.text().contains("MPI_Bcast") && error.text().contains("MPI_Allreduce"), "{error}");
            }
        },
    );
}

/// Runs a call on each rank; all must end, and at least those for whom `wrong` holds with an error. (Another may see, or not see in
/// time, that somebody is in another call.)
fn mismatched(size: usize, wrong: impl Fn(usize) -> bool, call: impl Fn(&Area<Threads>) -> Result<()> + Sync) {
    let outcomes = Mutex::new(vec![Ok(()); size]);
    ranks(
        size,
        |_| u64::MAX,
        |area| {
            let outcome = call(area);
            outcomes.lock().unwrap()[area.rank] = outcome;
        },
    );
    for (rank, outcome) in outcomes.into_inner().unwrap().into_iter().enumerate() {
        assert!(outcome.is_err() || !wrong(rank), "rank {rank}: {outcome:?}");
    }
}

fn large_bcast(area: &Area<Threads>, len: usize, data: &mut [u8]) -> Result<()> {
    let call = Call::new(Collective::Bcast, len as u64);
    // SAFETY: `data` holds more than `len` bytes.
    unsafe {
        match area.rank {
            0 => star::give(area, &call, data.as_ptr()),
            _ => star::take(area, &call, Target::Plain(data.as_mut_ptr())).map(drop),
        }
    }
}

#[test]
fn nothing_is_written_past_a_reader_who_expects_less() {
    for _ in 0..50 {
        mismatched(
            2,
            |_| true,
            |area| {
                let len = [1 << 20, 256 << 10][area.rank];
                let mut data = vec![area.rank as u8 + 1; 1 << 20];
                let outcome = large_bcast(area, len, &mut data);
                assert!(data[len..].iter().all(|&b| b == area.rank as u8 + 1));
                outcome
            },
        );
    }
}

#[test]
fn a_root_does_not_wait_for_a_rank_in_another_call() {
    mismatched(
        2,
        |_| true,
        |area| match area.rank {
            0 => large_bcast(area, 1 << 20, &mut vec![0; 1 << 20]),
            _ => barrier::barrier(area),
        },
    );
}

#[test]
fn a_rank_that_runs_ahead_and_one_that_is_behind_both_learn_of_a_mismatch() {
    mismatched(
        2,
        |rank| rank == 1,
        |area| {
            (0..20).for_each(|k| run(area, k, Step::Bcast { root: 0, len: 8 }));
            let call = Call::new(Collective::Bcast, [4096, 8][area.rank]);
            if area.rank == 0 {
                return bcast::give(area, &call, |_| ());
            }
            bcast::take(area, &call, |_| ())
        },
    );
}

#[test]
fn nobody_waits_for_a_reader_who_posts_nothing() {
    // Ranks 0 and 1 are in a broadcast, where 1 only reads; rank 2 waits for both.
    mismatched(
        3,
        |rank| rank == 2,
        |area| {
            let mut word = [0u8; 8];
            let whole = word.as_mut_ptr();
            match area.rank {
                0 => bcast::give(area, &Call::new(Collective::Bcast, 8), |_| ())?,
                1 => bcast::take(area, &Call::new(Collective::Bcast, 8), |_| ())?,
                // SAFETY: the buffer holds the bytes.
                _ => unsafe { allreduce::all(area, &Call::new(Collective::Allreduce, 8), whole, whole, pairs(&xor(8)))? },
            }
            Ok(())
        },
    );
}

#[test]
fn two_roots_of_one_small_broadcast_are_an_error() {
    let said = Mutex::new(Vec::new());
    ranks(
        3,
        |_| u64::MAX,
        |area| {
            let root = [0, 1, 0][area.rank];
            let call = Call { root, ..Call::new(Collective::Bcast, 4) };
            let outcome = match area.rank {
                2 => bcast::take(area, &call, |_| ()),
                _ => bcast::give(area, &call, |_| ()),
            };
            said.lock().unwrap().extend(outcome.err());
        },
    );
    let said = said.into_inner().unwrap();
    assert!(said.iter().any(|e| e.text().contains("root 1")), "{said:?}");
}

#[test]
fn waiting_for_a_root_that_waits_too_is_an_error() {
    let said = Mutex::new(Vec::new());
    ranks(
        3,
        |_| u64::MAX,
        |area| {
            let call = |root| Call { root, ..Call::new(Collective::Bcast, 4) };
            let outcome = match area.rank {
                1 => bcast::give(area, &call(1), |_| ()),
                0 => bcast::take(area, &call(1), |_| ()),
                _ => bcast::take(area, &call(0), |_| ()),
            };
            said.lock().unwrap().extend(outcome.err());
        },
    );
    let said = said.into_inner().unwrap();
    assert!(said.iter().any(|e| e.text().contains("root 1")), "{said:?}");
}

#[test]
fn who_waits_for_a_rank_whose_call_was_refused_gets_its_error_and_all_stay_in_step() {
    let said = Mutex::new(Vec::new());
    let ended = AtomicUsize::new(0);
    ranks(
        3,
        |_| u64::MAX,
        |area| {
            if area.rank == 1 {
                area.refuse(Collective::Barrier, 7);
                area.wait("the others", || ended.load(SeqCst) == 2);
                assert_eq!(area.used_up(Collective::Bcast, false), Some(true));
                area.settle(true);
            } else {
                said.lock().unwrap().extend(barrier::barrier(area).err());
                ended.fetch_add(1, SeqCst);
            }
            barrier::barrier(area).unwrap();
        },
    );
    let said = said.into_inner().unwrap();
    assert!(said.len() == 2 && said.iter().all(|e| e.code() == 7 && e.text().contains("rank 1")), "{said:?}");
}

#[test]
fn a_refused_call_that_nobody_else_makes_counts_for_nothing() {
    ranks(
        2,
        |_| u64::MAX,
        |area| {
            if area.rank == 0 {
                area.refuse(Collective::Scatter, 7);
                area.wait("another call", || area.used_up(Collective::Barrier, false).is_some());
                assert_eq!(area.used_up(Collective::Barrier, false), Some(false));
                area.settle(false);
            }
            barrier::barrier(area).unwrap();
        },
    );
}

/// All are refused in one call, then one of them in the next, before the others have come to it.
#[test]
fn notes_of_one_call_say_nothing_of_the_next() {
    let (noted, again, ended) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    ranks(
        3,
        |_| u64::MAX,
        |area| {
            area.refuse(Collective::Scan, 7);
            noted.fetch_add(1, SeqCst);
            if area.rank == 0 {
                area.wait("the notes", || noted.load(SeqCst) == 3);
                assert_eq!(area.used_up(Collective::Barrier, true), Some(false));
                area.settle(false);
                area.refuse(Collective::Barrier, 7);
                assert_eq!(area.used_up(Collective::Bcast, false), None);
                again.store(1, SeqCst);
                area.wait("the others", || ended.load(SeqCst) == 2);
                assert_eq!(area.used_up(Collective::Bcast, false), Some(true));
                area.settle(true);
            } else {
                // Rank 2 finds the note of rank 0 closed.
                area.wait("rank 0", || again.load(SeqCst) == 1 && ended.load(SeqCst) + 1 == area.rank);
                assert_eq!(area.used_up(Collective::Barrier, false), Some(false));
                area.settle(false);
                assert_eq!(barrier::barrier(area).unwrap_err().code(), 7);
                ended.fetch_add(1, SeqCst);
            }
            barrier::barrier(area).unwrap();
        },
    );
}

/// A rank that need not wait makes the call that was refused elsewhere, and is refused in the one after it.
#[test]
fn refusals_before_a_right_call_are_remembered_behind_it() {
    let stage = AtomicUsize::new(0);
    ranks(
        2,
        |_| u64::MAX,
        |area| {
            area.refuse(Collective::Scan, 7);
            stage.fetch_add(1, SeqCst);
            area.wait("the notes", || stage.load(SeqCst) >= 2);
            if area.rank == 1 {
                assert_eq!(area.used_up(Collective::Bcast, true), Some(false));
                area.settle(false);
                area.refuse(Collective::Bcast, 7);
                stage.store(3, SeqCst);
                area.wait("rank 0", || stage.load(SeqCst) == 4);
                assert_eq!(area.used_up(Collective::Barrier, false), Some(true));
                area.settle(true);
                assert_eq!(barrier::barrier(area).unwrap_err().code(), 7);
                stage.store(5, SeqCst);
            } else {
                area.wait("rank 1", || stage.load(SeqCst) == 3);
                assert_eq!(area.used_up(Collective::Bcast, false), Some(false));
                area.settle(false);
                bcast::give(area, &Call::new(Collective::Bcast, 4), |_| ()).unwrap();
                area.refuse(Collective::Barrier, 7);
                stage.store(4, SeqCst);
                area.wait("rank 1", || stage.load(SeqCst) == 5);
                assert_eq!(area.used_up(Collective::Scan, false), Some(true));
                area.settle(true);
            }
            barrier::barrier(area).unwrap();
        },
    );
}

#[test]
fn waiting_for_a_rank_in_a_nonblocking_collective_is_an_error() {
    let said = Mutex::new(Vec::new());
    ranks(
        2,
        |_| u64::MAX,
        |area| {
            if area.rank == 1 {
                area.await_number(1);
            } else {
                said.lock().unwrap().extend(barrier::barrier(area).err());
            }
        },
    );
    let said = said.into_inner().unwrap();
    assert!(said.len() == 1 && said[0].text().contains("nonblocking"), "{said:?}");
}

#[test]
fn a_rank_that_waits_for_what_this_one_has_begun_will_come() {
    let said = Mutex::new(Vec::new());
    ranks(
        2,
        |_| u64::MAX,
        |area| {
            if area.rank == 1 {
                area.await_number(0);
                std::thread::sleep(Duration::from_millis(20));
            }
            let outcome = barrier::barrier(area);
            said.lock().unwrap().extend(outcome.err());
        },
    );
    assert!(said.into_inner().unwrap().is_empty());
}

#[test]
fn a_rank_whose_device_fails_tells_the_others_and_all_go_on() {
    ranks(
        3,
        |_| u64::MAX,
        |area| {
            for k in 0..40 {
                let broken = if area.rank == 1 { &area.failing() } else { area };
                let call = Call { root: 1, ..Call::new(Collective::Bcast, 4) };
                let told = match area.rank {
                    1 => bcast::give(broken, &call, |_| ()),
                    _ => bcast::take(area, &call, |_| ()),
                };
                assert!(area.rank == 1 || told.unwrap_err().text().contains("the device of rank 1 failed in MPI_Bcast"));
                let (mine, mut all) = (contribution(area.rank, k, 4), [0u8; 4]);
                let call = Call::new(Collective::Allreduce, 4);
                // SAFETY: both have 4 bytes.
                let told = unsafe { allreduce::all(broken, &call, mine.as_ptr(), all.as_mut_ptr(), pairs(&xor(4))) };
                assert!(told.unwrap_err().text().contains("the device of rank 1 failed in MPI_Allreduce"));
                run(area, k, Step::Allreduce { len: 4, in_place: false });
            }
        },
    );
}
