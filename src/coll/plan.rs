// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plans: a schedule that is written, with what it takes to run it. A thread keeps its last plans, so the same call in
//! the next step of a program plans nothing and allocates nothing.

use std::cell::RefCell;

use crate::object::error::Result;
use crate::object::status::Status;
use crate::p2p::{Loan, Ticket};

use super::registry::Algorithm;
use super::schedule::{Call, Cursor, Id, Place, Schedule};

/// Plans that a thread keeps.
const KEPT: usize = 16;

// Boxes move from the list to a run and back; the plans themselves are large.
thread_local! {
    #[allow(clippy::vec_box)]
    static PLANS: RefCell<Vec<Box<Plan>>> = const { RefCell::new(Vec::new()) };
}

/// A schedule and the state of one run through it.
pub struct Plan {
    /// Who wrote the schedule.
    pub algorithm: &'static Algorithm,
    /// The schedule.
    pub schedule: Schedule,
    /// The state of the run.
    pub cursor: Cursor,
    /// The driver's list of steps to start, here to keep its memory.
    pub startable: Vec<Id>,
    /// Messages under way.
    pub flying: Vec<(Id, Ticket)>,
    /// Messages that have completed and are not booked yet.
    pub landed: Vec<(Id, Result<Status>)>,
    /// Received operands that have stayed at their senders, and the places that they stand for.
    pub loans: Vec<(Place, Box<Loan>)>,
    /// Where other ranks want what folds make: the rank, the result, and its place there.
    pub exposures: Vec<(usize, Place, Box<Loan>)>,
    /// The ranks to whose places a result has been written.
    pub written: Vec<(usize, Place)>,
}

impl Plan {
    /// A plan for a call: one that is kept, or a new one.
    pub fn of(algorithm: &'static Algorithm, call: &Call) -> Box<Plan> {
        let kept = PLANS.with_borrow_mut(|plans| {
            let fits = |p: &Plan| std::ptr::eq(p.algorithm, algorithm) && p.schedule.call() == call;
            plans.iter().rposition(|p| fits(p)).map(|i| plans.remove(i))
        });
        match kept {
            Some(mut plan) => {
                plan.rewind();
                plan
            }
            None => Plan::new(algorithm, call),
        }
    }

    fn new(algorithm: &'static Algorithm, call: &Call) -> Box<Plan> {
        let mut schedule = Schedule::new(call.clone());
        (algorithm.write)(&mut schedule);
        Box::new(Plan {
            algorithm,
            schedule,
            cursor: Cursor::default(),
            startable: Vec::new(),
            flying: Vec::new(),
            landed: Vec::new(),
            loans: Vec::new(),
            exposures: Vec::new(),
            written: Vec::new(),
        })
    }

    /// Ready to run again.
    pub fn rewind(&mut self) {
        self.cursor.reset();
        self.written.clear();
        if self.schedule.lazy() {
            self.schedule.clear();
            (self.algorithm.write)(&mut self.schedule);
        }
    }

    /// Gives it back for the next call like this one.
    pub fn keep(self: Box<Plan>) {
        let _ = PLANS.try_with(|plans| {
            let mut plans = plans.borrow_mut();
            if plans.len() == KEPT {
                plans.remove(0);
            }
            plans.push(self);
        });
    }
}
