// SPDX-License-Identifier: MIT OR Apache-2.0
//! Intercommunicators: made of two groups whose leaders can talk, and merged into one (MPI 5.0, section 7.6.2).

use std::sync::atomic::{AtomicU32, Ordering};

use super::agree::{self, Circle, or};
use super::birth::{self, Plan};
use super::{Comm, INTERNAL_CONTEXT, Space, get};
use crate::err;
use crate::object::constant::Handle;
use crate::object::error::Result;
use crate::object::group::Group;
use crate::p2p::{self, Envelope, Span, Ticket};

/// `MPI_Intercomm_create`.
pub fn create(local: Handle, local_leader: i32, peer: Handle, remote_leader: i32, tag: i32, new: &mut Handle) -> Result<()> {
    let local = get(local)?;
    if local.is_inter() {
        return Err(err!(Comm, "the local communicator is an intercommunicator"));
    }
    let leader = local.group.check_rank(local_leader)?;
    let circle = local.everyone();
    let heard = (leader == local.rank as usize).then(|| get(peer).and_then(|peer| meet(local, peer, remote_leader, tag)));
    let mut remote = tell(&circle, heard)?;
    let channel = remote.pop().ok_or_else(|| err!(Intern, "the leaders named no channel"))?;
    *new = join(local, remote, channel)?;
    Ok(())
}

/// The creations that this process has led.
static LED: AtomicU32 = AtomicU32::new(0);

/// Names one creation among those that are under way: threads may make intercommunicators of the same processes with the same
/// tag over different peers. Of both leaders, a process and the number of its creations, the first is taken.
fn channel(a: (u32, u32), b: (u32, u32)) -> u32 {
    let (leader, number) = a.min(b);
    (leader & 0xfff) << 16 | number & 0xffff
}

/// The leaders exchange their groups: the other's, and last the channel of this creation.
fn meet(local: &Comm, peer: &Comm, remote_leader: i32, tag: i32) -> Result<Vec<u32>> {
    if tag < 0 {
        return Err(err!(Tag, "the tag {tag} is negative"));
    }
    peer.peers().check_rank(remote_leader)?;
    let mine = &local.group.members;
    let number = LED.fetch_add(1, Ordering::Relaxed);
    let theirs = swap(peer, remote_leader, tag, &[mine.len() as u32, number], 2)?;
    let mut heard = swap(peer, remote_leader, tag, mine, theirs[0] as usize)?;
    heard.push(channel((local.process_of_mine(), number), (peer.process(remote_leader), theirs[1])));
    Ok(heard)
}

/// Sends words to the other leader and receives `count` words from it.
fn swap(peer: &Comm, other: i32, tag: i32, words: &[u32], count: usize) -> Result<Vec<u32>> {
    let (context, tag) = (peer.context + 1, Space::Leaders.tag(tag));
    let mut theirs = vec![0u32; count];
    let from = Envelope { process: peer.process(other), context, rank: other, tag };
    let to = Envelope { rank: peer.rank, ..from };
    // SAFETY: both buffers live until both operations are finished below.
    let (incoming, outgoing) = unsafe {
        let incoming = p2p::start_receive(from, Span::bytes(theirs.as_mut_ptr().cast(), (count * 4) as i64));
        (incoming, p2p::start_send(to, Span::bytes(words.as_ptr().cast_mut().cast(), (words.len() * 4) as i64)))
    };
    finish(incoming)?;
    outgoing?.map_or(Ok(()), finish)?;
    Ok(theirs)
}

fn finish(ticket: Ticket) -> Result<()> {
    agree::wait("MPI_Intercomm_create: the other leader", || p2p::finish(ticket)).map(|_| ())
}

/// The leader tells its group what it heard: length first, then the list. When it failed, its group does not wait for it.
pub(super) fn tell(circle: &Circle, heard: Option<Result<Vec<u32>>>) -> Result<Vec<u32>> {
    let mut failure = None;
    let heard = heard.map(|outcome| {
        outcome.unwrap_or_else(|error| {
            failure = Some(error);
            Vec::new()
        })
    });
    let length = heard.as_ref().map_or(0, |list| if list.is_empty() { FAILED } else { list.len() as u64 });
    let count = agree::agree(circle, vec![length], or)?[0];
    if count == FAILED {
        return Err(failure.unwrap_or_else(|| err!(Other, "the local leader could not reach the remote leader")));
    }
    let list = heard.map_or(vec![0; count as usize], |list| list.into_iter().map(u64::from).collect());
    Ok(agree::agree(circle, list, or)?.into_iter().map(|m| m as u32).collect())
}

/// The length that a leader tells when it failed.
const FAILED: u64 = u64::MAX;

/// All processes of two groups, `me` among them.
pub(super) fn both(local: &Group, me: u32, remote: &[u32], tag: i32) -> Result<Circle> {
    if let Some(both) = remote.iter().find(|m| local.members.contains(m)) {
        return Err(err!(Comm, "process {both} of the job is in both groups; they must be disjoint"));
    }
    let members = union(&local.members, remote);
    let me = members.iter().position(|&m| m == me).expect("I am a member");
    Ok(Circle { me, members, context: INTERNAL_CONTEXT, tag })
}

fn join(local: &Comm, remote: Vec<u32>, channel: u32) -> Result<Handle> {
    let circle = both(&local.group, local.process_of_mine(), &remote, Space::Union.tag(channel as i32))?;
    let mut plan = Plan::child(local, local.group.clone(), local.rank);
    plan.remote = Some(Group::new(remote));
    birth::now(circle, plan)
}

/// Both groups after each other, in the same order on both sides.
pub(super) fn union(a: &[u32], b: &[u32]) -> Vec<u32> {
    let (first, second) = if a < b { (a, b) } else { (b, a) };
    [first, second].concat()
}

/// Of two groups, ordered by their members: the first, the second wants to come last in the merged communicator.
const FIRST_HIGH: u64 = 1;
const SECOND_HIGH: u64 = 2;

/// `MPI_Intercomm_merge`: the group that says `high` comes last.
pub fn merge(inter: Handle, high: bool, new: &mut Handle) -> Result<()> {
    let comm = get(inter)?;
    let Some(remote) = &comm.remote else {
        return Err(err!(Comm, "the communicator to merge is an intracommunicator"));
    };
    let everyone = comm.everyone();
    let mine_first = comm.group.members < remote.members;
    let said = match (high, mine_first) {
        (false, _) => 0,
        (true, true) => FIRST_HIGH,
        (true, false) => SECOND_HIGH,
    };
    let second_leads = agree::agree(&everyone, vec![said], or)?[0] == FIRST_HIGH;
    let (low, top) = if mine_first != second_leads { (&comm.group, remote) } else { (remote, &comm.group) };
    let members = [low.members.as_slice(), &top.members].concat();
    let circle = everyone.narrowed(members.clone());
    let rank = circle.me as i32;
    *new = birth::now(circle, Plan::child(comm, Group::new(members), rank))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_leaders_name_the_same_channel_and_each_creation_another() {
        let (mine, theirs) = ((2, 7), (0, 3));
        assert_eq!(channel(mine, theirs), channel(theirs, mine));
        assert_ne!(channel(mine, (0, 4)), channel(mine, theirs));
        assert_ne!(channel(mine, (1, 3)), channel(mine, theirs));
    }
}
