// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks that make communicators in every way the engine has, and prove that they carry messages to the right processes.
//! Run it under any launcher with 1 to 8 ranks; it says nothing and exits with 0 when all holds.

use paceline::init;
use paceline::object::comm::topology::{cart, dist_graph};
use paceline::object::comm::{self, agree, create, dup, end, inter, query, split};
use paceline::object::constant::{
    COMM_NULL, COMM_SELF, COMM_WORLD, CONGRUENT, GROUP_NULL, Handle, PROC_NULL, SIMILAR, THREAD_MULTIPLE, UNDEFINED,
};
use paceline::object::group::{self, pick};
use paceline::object::request;
use paceline::object::status::Status;

fn main() {
    let mut provided = 0;
    let multiple = std::env::args().nth(1).is_some();
    init::init_thread(if multiple { THREAD_MULTIPLE } else { 0 }, &mut provided).unwrap();
    duplicates();
    splits();
    groups();
    intercommunicators();
    topologies();
    many();
    if multiple {
        threads();
    }
    init::finalize().unwrap();
}

/// All members sum their world ranks over the communicator, which nobody else can disturb.
fn prove(handle: Handle, expected: &[u32]) {
    let found = comm::get(handle).unwrap();
    assert_eq!(found.group.members, expected);
    assert_eq!(found.process_of_mine(), init::rank());
    let words = agree::gather(&found.everyone(), &[u64::from(init::rank()) + 1]).unwrap();
    let all: Vec<u32> = words.iter().map(|&w| w as u32 - 1).collect();
    match &found.remote {
        None => assert_eq!(all, expected),
        Some(remote) => assert_eq!(all.len(), expected.len() + remote.members.len()),
    }
}

fn world() -> Vec<u32> {
    (0..init::size()).collect()
}

fn free(mut handle: Handle) {
    end::free(&mut handle).unwrap();
    assert_eq!(handle, COMM_NULL);
}

fn duplicates() {
    let (mut a, mut b, mut request, mut relation) = (0, 0, 0, 0);
    dup::idup(COMM_WORLD, &mut b, &mut request).unwrap();
    dup::dup(COMM_WORLD, &mut a).unwrap();
    request::complete::wait(&mut request, &mut Status::default()).unwrap();
    assert_ne!(comm::get(a).unwrap().context, comm::get(b).unwrap().context);
    query::compare(a, b, &mut relation).unwrap();
    assert_eq!(relation, CONGRUENT);
    prove(a, &world());
    prove(b, &world());
    free(a);
    free(b);
}

fn splits() {
    let (me, mut odd, mut reversed, mut none, mut relation) = (init::rank(), 0, 0, 0, 0);
    split::split(COMM_WORLD, (me % 2) as i32, 0, &mut odd).unwrap();
    prove(odd, &world().into_iter().filter(|r| r % 2 == me % 2).collect::<Vec<_>>());
    split::split(COMM_WORLD, 7, -(me as i32), &mut reversed).unwrap();
    prove(reversed, &world().into_iter().rev().collect::<Vec<_>>());
    query::compare(COMM_WORLD, reversed, &mut relation).unwrap();
    assert!(relation == if init::size() == 1 { CONGRUENT } else { SIMILAR });
    split::split(COMM_WORLD, if me == 0 { UNDEFINED } else { 0 }, 0, &mut none).unwrap();
    assert_eq!(none == COMM_NULL, me == 0);
    [odd, reversed, none].into_iter().filter(|&c| c != COMM_NULL).for_each(free);
}

fn groups() {
    let (mut all, mut half, mut new) = (GROUP_NULL, GROUP_NULL, COMM_NULL);
    query::comm_group(COMM_WORLD, &mut all).unwrap();
    let ranks: Vec<i32> = (0..init::size() as i32).rev().step_by(2).collect();
    pick::incl(all, ranks.len() as i32, &ranks, &mut half).unwrap();
    let members = group::get(half).unwrap().members.clone();
    create::create(COMM_WORLD, half, &mut new).unwrap();
    let member = members.contains(&init::rank());
    assert_eq!(new != COMM_NULL, member);
    if member {
        prove(new, &members);
        free(new);
        create::create_group(COMM_WORLD, half, 5, &mut new).unwrap();
        prove(new, &members);
        free(new);
    }
    group::free(&mut all).unwrap();
    group::free(&mut half).unwrap();
}

fn intercommunicators() {
    if init::size() < 2 {
        return;
    }
    let side = init::rank() % 2;
    let (mut local, mut between, mut copy, mut merged, mut parts) = (0, 0, 0, 0, 0);
    split::split(COMM_WORLD, side as i32, 0, &mut local).unwrap();
    inter::create(local, 0, COMM_WORLD, 1 - side as i32, 9, &mut between).unwrap();
    let of = |side: u32| world().into_iter().filter(|r| r % 2 == side).collect::<Vec<_>>();
    prove(between, &of(side));
    assert_eq!(comm::get(between).unwrap().remote.as_ref().unwrap().members, of(1 - side));
    dup::dup(between, &mut copy).unwrap();
    prove(copy, &of(side));
    inter::merge(copy, side == 0, &mut merged).unwrap();
    prove(merged, &[of(1), of(0)].concat());
    split::split(between, (init::rank() / 2 % 2) as i32, 0, &mut parts).unwrap();
    if parts != COMM_NULL {
        let mine: Vec<u32> = of(side).into_iter().filter(|r| r / 2 % 2 == init::rank() / 2 % 2).collect();
        prove(parts, &mine);
        free(parts);
    }
    [local, between, copy, merged].into_iter().for_each(free);
}

fn topologies() {
    let n = init::size() as i32;
    let (mut ring, mut row, mut source, mut dest) = (0, 0, 0, 0);
    cart::create(COMM_WORLD, 2, &[n, 1], &[1, 0], false, &mut ring).unwrap();
    cart::shift(ring, 0, 1, &mut source, &mut dest).unwrap();
    assert_eq!((source, dest), ((init::rank() as i32 + n - 1) % n, (init::rank() as i32 + 1) % n));
    cart::shift(ring, 1, 1, &mut source, &mut dest).unwrap();
    assert_eq!((source, dest), (PROC_NULL, PROC_NULL));
    cart::sub(ring, &[0, 1], &mut row).unwrap();
    prove(row, &[init::rank()]);
    // Everyone names the edge of its left neighbour to itself.
    let (me, mut graph) = (init::rank() as i32, 0);
    let info = paceline::object::constant::INFO_NULL;
    dist_graph::create(COMM_WORLD, 1, &[(me + n - 1) % n], &[1], &[me], Some(&[me + 10]), info, false, &mut graph).unwrap();
    let (mut from, mut to, mut w, mut v) = ([0], [0], [0], [0]);
    dist_graph::neighbors(graph, 1, &mut from, Some(&mut w), 1, &mut to, Some(&mut v)).unwrap();
    assert_eq!((from[0], to[0], w[0], v[0]), ((me + n - 1) % n, (me + 1) % n, me + 10, (me + 1) % n + 10));
    [ring, row, graph].into_iter().for_each(free);
}

/// Ids come back: more communicators one after the other than there are ids.
fn many() {
    for _ in 0..17_000 {
        let mut new = 0;
        dup::dup(COMM_SELF, &mut new).unwrap();
        free(new);
    }
    for _ in 0..300 {
        let mut new = 0;
        dup::dup(COMM_WORLD, &mut new).unwrap();
        free(new);
    }
}

/// Two threads duplicate different communicators at once, each in its own order on each rank.
fn threads() {
    let mut parents = [0; 3];
    for parent in &mut parents {
        dup::dup(COMM_WORLD, parent).unwrap();
    }
    std::thread::scope(|scope| {
        for parent in parents {
            scope.spawn(move || {
                for _ in 0..200 {
                    let (mut a, mut b) = (0, 0);
                    dup::dup(parent, &mut a).unwrap();
                    dup::dup(a, &mut b).unwrap();
                    prove(b, &world());
                    free(a);
                    free(b);
                }
            });
        }
    });
    parents.into_iter().for_each(free);
}
