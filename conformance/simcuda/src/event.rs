// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events: how often one was recorded, and which records the streams have reached (an event can be recorded again before its
//! earlier record is reached, and those who wait for the earlier one go on waiting). An interprocess event has these words in
//! a file in memory, so that other processes see them too.

use crate::backing::Backing;
use crate::call::{Out, driver};
use crate::code::{self, Result};
use crate::{context, stream};
use std::collections::BTreeMap;
use std::ffi::c_uint;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// CU_EVENT_DISABLE_TIMING and CU_EVENT_INTERPROCESS.
const DISABLE_TIMING: u32 = 2;
const INTERPROCESS: u32 = 4;
/// How often a waiting thread looks.
const LOOK: Duration = Duration::from_micros(20);

/// Records of one event that can be told apart at a time.
const RECORDS: usize = 64;

/// The words of an event.
#[repr(C)]
struct Words {
    recorded: AtomicU64,
    /// Record n is reached when word n modulo their number is n or more.
    reached: [AtomicU64; RECORDS],
    /// When it was last reached, in ns.
    time: AtomicU64,
}

impl Words {
    fn new() -> Box<Words> {
        let zero = || AtomicU64::new(0);
        Box::new(Words { recorded: zero(), reached: std::array::from_fn(|_| zero()), time: zero() })
    }
}

/// Where the words are.
enum Place {
    Local(Box<Words>),
    Shared(*const Words, Arc<Backing>),
}

// SAFETY: the words are atomic; a shared place stays mapped as long as it lives.
unsafe impl Send for Place {}
// SAFETY: as above.
unsafe impl Sync for Place {}

/// An event.
pub struct Event {
    context: u64,
    timing: bool,
    place: Place,
}

static TABLE: Mutex<BTreeMap<u64, Arc<Event>>> = Mutex::new(BTreeMap::new());

impl Event {
    fn words(&self) -> &Words {
        match &self.place {
            Place::Local(words) => words,
            // SAFETY: the mapping is unmapped only when the place is dropped.
            Place::Shared(words, _) => unsafe { &**words },
        }
    }

    fn recorded(&self) -> u64 {
        self.words().recorded.load(SeqCst)
    }

    fn reached(&self, record: u64) -> bool {
        self.words().reached[record as usize % RECORDS].load(SeqCst) >= record
    }

    fn reach(&self, record: u64) {
        let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as u64);
        self.words().time.store(now, SeqCst);
        self.words().reached[record as usize % RECORDS].fetch_max(record, SeqCst);
    }

    fn wait(&self, record: u64) {
        while !self.reached(record) {
            std::thread::sleep(LOOK);
        }
    }

    /// The file behind an interprocess event.
    pub fn file(&self) -> Result<&Arc<Backing>> {
        match &self.place {
            Place::Local(_) => Err(code::INVALID_HANDLE),
            Place::Shared(_, file) => Ok(file),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Place::Shared(words, _) = self {
            // SAFETY: the place was mapped with this length, and nobody uses the words after the drop.
            unsafe { libc::munmap((*words).cast_mut().cast(), size_of::<Words>()) };
        }
    }
}

fn insert(event: Event) -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0xE7E0_0000_0000);
    let handle = NEXT.fetch_add(64, SeqCst);
    TABLE.lock().unwrap().insert(handle, Arc::new(event));
    handle
}

/// An event over the words in `file`, for the context that is current.
pub fn shared(file: Arc<Backing>) -> Result<u64> {
    let context = context::current()?.handle;
    let words = file.view(0, size_of::<Words>())?.cast_const().cast();
    Ok(insert(Event { context, timing: false, place: Place::Shared(words, file) }))
}

/// The event with this handle.
pub fn find(handle: u64) -> Result<Arc<Event>> {
    TABLE.lock().unwrap().get(&handle).cloned().ok_or(code::INVALID_HANDLE)
}

/// Ends all events of a context.
pub fn forget(context: u64) {
    TABLE.lock().unwrap().retain(|_, event| event.context != context);
}

/// Milliseconds between two events.
fn elapsed(start: u64, end: u64) -> Result<f32> {
    let (start, end) = (find(start)?, find(end)?);
    if !start.timing || !end.timing || start.recorded() == 0 || end.recorded() == 0 {
        return Err(code::INVALID_HANDLE);
    }
    if !start.reached(start.recorded()) || !end.reached(end.recorded()) {
        return Err(code::NOT_READY);
    }
    let (start, end) = (start.words().time.load(SeqCst), end.words().time.load(SeqCst));
    Ok(end.wrapping_sub(start) as i64 as f32 / 1e6)
}

driver! {
    /// Makes an event; one for other processes must be without timing.
    fn cuEventCreate(out: Out<u64>, flags: c_uint) {
        let context = context::current()?.handle;
        let timing = flags & DISABLE_TIMING == 0;
        if flags & INTERPROCESS == 0 {
            return out.put(insert(Event { context, timing, place: Place::Local(Words::new()) }));
        }
        if timing {
            return Err(code::INVALID_VALUE);
        }
        out.put(shared(Backing::new(size_of::<Words>())?)?)
    }

    /// Ends an event.
    fn cuEventDestroy_v2(handle: u64) {
        TABLE.lock().unwrap().remove(&handle).map(drop).ok_or(code::INVALID_HANDLE)
    }

    /// The event is reached when the stream has done what it has been given.
    fn cuEventRecord(handle: u64, stream: u64) {
        let (event, stream) = (find(handle)?, stream::current(stream)?);
        if event.context != stream.context {
            return Err(code::INVALID_HANDLE);
        }
        let record = event.words().recorded.fetch_add(1, SeqCst) + 1;
        stream.submit(move || event.reach(record));
        Ok(())
    }

    /// Whether the last record has been reached.
    fn cuEventQuery(handle: u64) {
        let event = find(handle)?;
        if event.reached(event.recorded()) { Ok(()) } else { Err(code::NOT_READY) }
    }

    /// Waits until the last record has been reached.
    fn cuEventSynchronize(handle: u64) {
        let event = find(handle)?;
        event.wait(event.recorded());
        Ok(())
    }

    /// The stream goes on when the event's last record, as of this call, has been reached.
    fn cuStreamWaitEvent(stream: u64, handle: u64, flags: c_uint) {
        let (event, stream) = (find(handle)?, stream::find(stream)?);
        if flags & !1 != 0 {
            return Err(code::INVALID_VALUE);
        }
        let record = event.recorded();
        stream.submit(move || event.wait(record));
        Ok(())
    }

    /// Milliseconds between two events.
    fn cuEventElapsedTime(out: Out<f32>, start: u64, end: u64) {
        out.put(elapsed(start, end)?)
    }

    /// The same.
    fn cuEventElapsedTime_v2(out: Out<f32>, start: u64, end: u64) {
        out.put(elapsed(start, end)?)
    }
}
