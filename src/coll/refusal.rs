// SPDX-License-Identifier: MIT OR Apache-2.0
//! A blocking collective that one rank's arguments keep from beginning there, while others have made right calls and wait for it: they
//! get an error, too ([`super::node`] has the notes by which ranks stay in step). Nonblocking and persistent calls just return: they
//! have no request then.

use super::node;
use super::registry::Collective;
use super::said::Said;
use crate::object::comm::{self, Comm};
use crate::object::constant::Handle;
use crate::object::errhandler;
use crate::object::error::{Class, Error, registry, text};
use crate::p2p;
use crate::p2p::alarm::{Alarm, Name, REFUSED};

/// Tells the other ranks of a communicator that the call named `call` was refused here.
#[cold]
pub fn tell(error: &Error, call: &str, comm: Handle) {
    let (Some(collective), Ok(comm)) = (blocking(call), comm::get(comm)) else { return };
    let alone = comm.size() == 1 && !comm.is_inter();
    // An error that ends the job does not wait for anybody.
    if !alone && !is_everywhere(error) && !errhandler::ends_job(comm.handle) {
        refuse(comm, collective, error.code());
    }
}

/// The blocking collective of that name in C.
fn blocking(call: &str) -> Option<Collective> {
    let name = call.strip_prefix("MPI_")?;
    Collective::named(&name.strip_suffix("_c").unwrap_or(name).to_lowercase())
}

/// Whether no rank can have made a right call: the communicator is not fit for it.
fn is_everywhere(error: &Error) -> bool {
    [Class::Comm, Class::Topology].into_iter().any(|class| error.code() == class as i32)
}

fn refuse(comm: &Comm, collective: Collective, code: i32) {
    // Where there is no area the others wait. An error of the way there is not the one to return.
    let Ok(Some(number)) = node::refuse(comm, collective, code) else { return };
    let of = Name::counted(comm.context + 1, number);
    let said = Said { what: collective as u32, ..Said::default() };
    let alarm = Alarm { of, rank: comm.rank, code, device: REFUSED, said, answers: false };
    comm.group.members.iter().for_each(|process| p2p::alert(*process, alarm));
}

/// The error of a rank that waits in the call `mine` for one whose call was refused.
#[cold]
pub fn elsewhere(code: i32, rank: usize, mine: &str) -> Error {
    let reason = text::of(registry::class_of(code)).map_or("an error class of the program", |(name, _)| name);
    Error::with_code(
        code,
        format!("the call of rank {rank} was refused there for its arguments ({reason}), so this rank's {mine} cannot end"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocking_collectives_are_waited_in() {
        assert_eq!(blocking("MPI_Bcast"), Some(Collective::Bcast));
        assert_eq!(blocking("MPI_Neighbor_alltoallw_c"), Some(Collective::NeighborAlltoallw));
        for other in ["MPI_Ibcast", "MPI_Bcast_init", "MPI_Bcast_init_c", "MPI_Send", "MPI_Comm_dup"] {
            assert_eq!(blocking(other), None, "{other}");
        }
    }
}
