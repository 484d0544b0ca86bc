// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hands a file descriptor to other processes of the same user over an abstract Unix socket (no file is made).

use std::io::{self, Error, ErrorKind};
use std::mem;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::time::Duration;

const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A listener on a fresh abstract name, and the name.
pub fn listen() -> io::Result<(UnixListener, String)> {
    let mut nonce = [0u8; 16];
    // SAFETY: the buffer is ours and its length is given.
    let got = unsafe { libc::getrandom(nonce.as_mut_ptr().cast(), nonce.len(), 0) };
    if got != nonce.len() as isize {
        return Err(Error::last_os_error());
    }
    let name = format!("paceline-{:032x}", u128::from_ne_bytes(nonce));
    let listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
    Ok((listener, name))
}

/// Gives `fd` and a word to the next `times` processes of this user that connect; they may take their time, but not for ever.
pub fn give(listener: &UnixListener, fd: &OwnedFd, word: u64, times: usize) -> io::Result<()> {
    let mut given = 0;
    while given < times {
        wait_for_caller(listener)?;
        let (stream, _) = listener.accept()?;
        if same_user(&stream) {
            send(&stream, fd.as_raw_fd(), word)?;
            given += 1;
        }
    }
    Ok(())
}

fn wait_for_caller(listener: &UnixListener) -> io::Result<()> {
    let mut entry = libc::pollfd { fd: listener.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one pollfd, alive during the call.
    match uninterrupted(|| unsafe { libc::poll(&mut entry, 1, TIME_LIMIT.as_millis() as i32) } as isize)? {
        0 => Err(Error::new(ErrorKind::TimedOut, "a process of the job did not come for it")),
        _ => Ok(()),
    }
}

/// Takes the descriptor and the word that the process behind `name` gives.
pub fn take(name: &str) -> io::Result<(OwnedFd, u64)> {
    let stream = UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?)?;
    stream.set_read_timeout(Some(TIME_LIMIT))?;
    receive(&stream)
}

fn same_user(stream: &UnixStream) -> bool {
    // SAFETY: an all-zero ucred is a valid value; getsockopt fills at most its size.
    let mut peer: libc::ucred = unsafe { mem::zeroed() };
    let mut len = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: as above.
    let rc =
        unsafe { libc::getsockopt(stream.as_raw_fd(), libc::SOL_SOCKET, libc::SO_PEERCRED, (&raw mut peer).cast(), &mut len) };
    // SAFETY: no memory involved.
    rc == 0 && peer.uid == unsafe { libc::geteuid() }
}

/// Room for one descriptor's control message, aligned as `cmsghdr` wants.
#[repr(C, align(8))]
struct Control([u8; 32]);

fn message(word: &mut u64, part: &mut libc::iovec, control: &mut Control) -> libc::msghdr {
    *part = libc::iovec { iov_base: (&raw mut *word).cast(), iov_len: 8 };
    // SAFETY: an all-zero msghdr is valid (no name, no parts, no control).
    let mut header: libc::msghdr = unsafe { mem::zeroed() };
    header.msg_iov = part;
    header.msg_iovlen = 1;
    header.msg_control = (&raw mut control.0).cast();
    // SAFETY: pure arithmetic.
    header.msg_controllen = unsafe { libc::CMSG_SPACE(size_of::<RawFd>() as u32) } as _;
    header
}

/// Makes a system call again that a signal has interrupted.
fn uninterrupted(mut call: impl FnMut() -> isize) -> io::Result<isize> {
    loop {
        match call() {
            done @ 0.. => return Ok(done),
            _ => match Error::last_os_error() {
                error if error.kind() == ErrorKind::Interrupted => {}
                error => return Err(error),
            },
        }
    }
}

fn wrong_length() -> Error {
    Error::new(ErrorKind::UnexpectedEof, "the other side has gone")
}

fn send(stream: &UnixStream, fd: RawFd, mut word: u64) -> io::Result<()> {
    let (mut part, mut control) = (libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 }, Control([0; 32]));
    let header = message(&mut word, &mut part, &mut control);
    // SAFETY: the header points at live locals; the control area has room for one header and one descriptor.
    unsafe {
        let first = libc::CMSG_FIRSTHDR(&header);
        (*first).cmsg_level = libc::SOL_SOCKET;
        (*first).cmsg_type = libc::SCM_RIGHTS;
        (*first).cmsg_len = libc::CMSG_LEN(size_of::<RawFd>() as u32) as _;
        libc::CMSG_DATA(first).cast::<RawFd>().write_unaligned(fd);
        if uninterrupted(|| libc::sendmsg(stream.as_raw_fd(), &header, libc::MSG_NOSIGNAL))? != 8 {
            return Err(wrong_length());
        }
    }
    Ok(())
}

fn receive(stream: &UnixStream) -> io::Result<(OwnedFd, u64)> {
    let (mut word, mut part, mut control) = (0, libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 }, Control([0; 32]));
    let mut header = message(&mut word, &mut part, &mut control);
    // SAFETY: the header points at live locals; what the kernel wrote is checked before the descriptor is owned.
    unsafe {
        if uninterrupted(|| libc::recvmsg(stream.as_raw_fd(), &mut header, libc::MSG_CMSG_CLOEXEC))? != 8 {
            return Err(wrong_length());
        }
        let first = libc::CMSG_FIRSTHDR(&header);
        if first.is_null() || (*first).cmsg_type != libc::SCM_RIGHTS {
            return Err(Error::new(ErrorKind::InvalidData, "no file descriptor came with the message"));
        }
        Ok((OwnedFd::from_raw_fd(libc::CMSG_DATA(first).cast::<RawFd>().read_unaligned()), word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descriptor_crosses() {
        let (listener, name) = listen().unwrap();
        let fd = super::super::memfd::create(4096).unwrap();
        let taker = std::thread::spawn(move || take(&name).unwrap());
        give(&listener, &fd, 42, 1).unwrap();
        let (copy, word) = taker.join().unwrap();
        assert_eq!(word, 42);
        let (a, b) = (super::super::memfd::map(&fd, 4096).unwrap(), super::super::memfd::map(&copy, 4096).unwrap());
        // SAFETY: both mappings are live for the process; nobody else uses them.
        unsafe {
            a.write(7);
            assert_eq!(b.read(), 7);
        }
    }
}
