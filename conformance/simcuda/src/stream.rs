// SPDX-License-Identifier: MIT OR Apache-2.0
//! Streams: each is a thread that runs its operations in order and late. The legacy default stream of a context and its
//! blocking streams wait for each other; non-blocking streams wait for nobody.

use crate::call::{self, Out, driver};
use crate::code::{self, Result};
use crate::context::{self, Context};
use crate::{copy, random};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::{c_uint, c_void};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex};

/// The legacy default stream by name (it is also stream 0), and the calling thread's own default stream.
const LEGACY: u64 = 1;
const PER_THREAD: u64 = 2;
/// CU_STREAM_NON_BLOCKING.
const NON_BLOCKING: u32 = 1;

/// A stream.
pub struct Stream {
    /// Its `CUstream`.
    pub handle: u64,
    /// The context it belongs to.
    pub context: u64,
    /// Whether it and the legacy default stream wait for each other.
    pub blocking: bool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    submitted: u64,
    finished: u64,
    works: bool,
    closed: bool,
    waiting: VecDeque<Operation>,
}

/// Something to do, after what other streams had been given before.
struct Operation {
    after: Vec<(Arc<Stream>, u64)>,
    /// Failures of the devices before it was given.
    failures: u64,
    work: Box<dyn FnOnce() + Send>,
}

/// All streams but the legacy ones, by handle.
static TABLE: Mutex<BTreeMap<u64, Arc<Stream>>> = Mutex::new(BTreeMap::new());

impl Stream {
    /// A stream of `context`.
    pub fn new(handle: u64, context: u64, blocking: bool) -> Arc<Stream> {
        Arc::new(Stream { handle, context, blocking, state: Mutex::default(), changed: Condvar::new() })
    }

    /// Gives the stream something to do.
    pub fn submit(self: &Arc<Stream>, work: impl FnOnce() + Send + 'static) {
        let after = self.order();
        let mut state = self.state.lock().unwrap();
        state.submitted += 1;
        state.waiting.push_back(Operation { after, failures: call::failures(), work: Box::new(work) });
        if !state.works {
            state.works = true;
            let stream = self.clone();
            std::thread::spawn(move || stream.run());
        }
        self.changed.notify_all();
    }

    /// What the next operation has to wait for on other streams.
    fn order(&self) -> Vec<(Arc<Stream>, u64)> {
        let Some(context) = context::find(self.context) else { return Vec::new() };
        let others: Vec<Arc<Stream>> = match (self.handle, self.blocking) {
            (0, _) => context.streams.lock().unwrap().iter().filter(|stream| stream.blocking).cloned().collect(),
            (_, true) => vec![context.legacy().clone()],
            (_, false) => Vec::new(),
        };
        let tails = others.into_iter().map(|stream| (stream.submitted(), stream));
        tails.filter(|(tail, stream)| !stream.has_finished(*tail)).map(|(tail, stream)| (stream, tail)).collect()
    }

    fn run(&self) {
        while let Some(operation) = self.next() {
            operation.after.iter().for_each(|(stream, tail)| stream.wait(*tail));
            let delay = random::delay();
            if !delay.is_zero() {
                std::thread::sleep(delay);
            }
            call::given_after(operation.failures);
            (operation.work)();
            self.state.lock().unwrap().finished += 1;
            self.changed.notify_all();
        }
    }

    fn next(&self) -> Option<Operation> {
        let mut state = self.state.lock().unwrap();
        loop {
            if let Some(operation) = state.waiting.pop_front() {
                return Some(operation);
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap();
        }
    }

    /// How many operations it has been given.
    pub fn submitted(&self) -> u64 {
        self.state.lock().unwrap().submitted
    }

    fn has_finished(&self, count: u64) -> bool {
        self.state.lock().unwrap().finished >= count
    }

    /// Waits until it has done `count` operations.
    pub fn wait(&self, count: u64) {
        let mut state = self.state.lock().unwrap();
        while state.finished < count {
            state = self.changed.wait(state).unwrap();
        }
    }

    /// Waits for all that it has been given so far.
    pub fn synchronize(&self) {
        self.wait(self.submitted());
    }

    /// Its thread ends after the last operation.
    pub fn close(&self) {
        TABLE.lock().unwrap().remove(&self.handle);
        self.state.lock().unwrap().closed = true;
        self.changed.notify_all();
    }
}

fn create(context: &Context, flags: u32) -> Result<Arc<Stream>> {
    static NEXT: AtomicU64 = AtomicU64::new(0x57E0_0000_0000);
    if flags & !NON_BLOCKING != 0 {
        return Err(code::INVALID_VALUE);
    }
    let stream = Stream::new(NEXT.fetch_add(64, Relaxed), context.handle, flags & NON_BLOCKING == 0);
    TABLE.lock().unwrap().insert(stream.handle, stream.clone());
    context.streams.lock().unwrap().push(stream.clone());
    Ok(stream)
}

/// The calling thread's default stream in `context`.
fn per_thread(context: &Context) -> Result<Arc<Stream>> {
    thread_local! {
        static OWN: RefCell<BTreeMap<u64, Arc<Stream>>> = const { RefCell::new(BTreeMap::new()) };
    }
    OWN.with(|own| {
        let mut own = own.borrow_mut();
        if let Some(stream) = own.get(&context.handle) {
            return Ok(stream.clone());
        }
        let stream = create(context, 0)?;
        own.insert(context.handle, stream.clone());
        Ok(stream)
    })
}

/// The stream with this handle; the default ones are of the current context.
pub fn find(handle: u64) -> Result<Arc<Stream>> {
    match handle {
        0 | LEGACY => Ok(context::current()?.legacy().clone()),
        PER_THREAD => per_thread(&*context::current()?),
        _ => TABLE.lock().unwrap().get(&handle).cloned().ok_or(code::INVALID_HANDLE),
    }
}

/// The same, for a call that demands a current context: the stream must be of it.
pub fn current(handle: u64) -> Result<Arc<Stream>> {
    let context = context::current()?;
    let stream = find(handle)?;
    if stream.context == context.handle { Ok(stream) } else { Err(code::INVALID_HANDLE) }
}

/// A function of the host and its argument, called from a stream.
struct HostCall(extern "C" fn(*mut c_void), *mut c_void);

// SAFETY: the caller of cuLaunchHostFunc says that the function may be called on a thread of the driver.
unsafe impl Send for HostCall {}

impl HostCall {
    fn call(self) {
        (self.0)(self.1);
    }
}

driver! {
    /// Makes a stream.
    fn cuStreamCreate(out: Out<u64>, flags: c_uint) {
        out.put(create(&*context::current()?, flags)?.handle)
    }

    /// The same with a priority, which changes nothing.
    fn cuStreamCreateWithPriority(out: Out<u64>, flags: c_uint, _priority: i32) {
        out.put(create(&*context::current()?, flags)?.handle)
    }

    /// Ends a stream; what it has been given is still done.
    fn cuStreamDestroy_v2(handle: u64) {
        let stream = TABLE.lock().unwrap().get(&handle).cloned().ok_or(code::INVALID_HANDLE)?;
        if let Some(context) = context::find(stream.context) {
            context.streams.lock().unwrap().retain(|other| other.handle != handle);
        }
        stream.close();
        Ok(())
    }

    /// Waits for all that a stream has been given.
    fn cuStreamSynchronize(handle: u64) {
        find(handle)?.synchronize();
        Ok(())
    }

    /// Whether a stream has done all that it has been given.
    fn cuStreamQuery(handle: u64) {
        let stream = find(handle)?;
        if stream.has_finished(stream.submitted()) { Ok(()) } else { Err(code::NOT_READY) }
    }

    /// The context of a stream.
    fn cuStreamGetCtx(handle: u64, out: Out<u64>) {
        out.put(find(handle)?.context)
    }

    /// The flags of a stream.
    fn cuStreamGetFlags(handle: u64, out: Out<u32>) {
        out.put(if find(handle)?.blocking { 0 } else { NON_BLOCKING })
    }

    /// Whether a stream is being captured into a graph: never.
    fn cuStreamIsCapturing(handle: u64, out: Out<i32>) {
        find(handle)?;
        out.put(0)
    }

    /// Calls a function of the host in stream order.
    fn cuLaunchHostFunc(handle: u64, function: extern "C" fn(*mut c_void), argument: *mut c_void) {
        let (stream, call) = (find(handle)?, HostCall(function, argument));
        stream.submit(move || call.call());
        Ok(())
    }

    /// Writes a word in stream order.
    fn cuStreamWriteValue32_v2(handle: u64, address: u64, value: u32, _flags: c_uint) {
        let stream = find(handle)?;
        copy::write_word(&stream, address, value);
        Ok(())
    }

    /// The stream goes on when a word satisfies a condition (0: at least, 1: equal, 2: has bits, 3: not all bits set).
    fn cuStreamWaitValue32_v2(handle: u64, address: u64, value: u32, flags: c_uint) {
        let stream = find(handle)?;
        copy::wait_word(&stream, address, value, flags & 3);
        Ok(())
    }
}
