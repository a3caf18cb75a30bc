//! Messages on their way to a worker. Sending never waits; messages that the socket does not take at
//! once are kept until the worker reads.

use std::io::ErrorKind;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::net::unix::OwnedWriteHalf;
use tokio::sync::Notify;

/// Bytes that may wait for a worker that does not read.
const MOST_UNSENT: usize = 64 << 20;

/// Sent bytes at the front of the buffer from which on the rest is moved to the front.
const COMPACTED: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Outbox {
    writer: OwnedWriteHalf,
    unsent: Mutex<Unsent>,
    has_unsent: Notify,
}

#[derive(Debug, Default)]
struct Unsent {
    bytes: Vec<u8>,
    /// Bytes at the front that are sent.
    sent: usize,
}

/// More bytes wait for the worker than may.
#[derive(Debug)]
pub(super) struct Overflow;

impl Outbox {
    pub(super) fn new(writer: OwnedWriteHalf) -> Self {
        Self { writer, unsent: Mutex::default(), has_unsent: Notify::new() }
    }

    pub(super) fn send(&self, line: &[u8]) -> Result<(), Overflow> {
        let mut unsent = self.unsent();
        let sent = match unsent.rest().is_empty() {
            true => self.writer.try_write(line).unwrap_or(0),
            false => 0,
        };
        if sent == line.len() {
            return Ok(());
        }
        if unsent.rest().len() + line.len() > MOST_UNSENT {
            return Err(Overflow);
        }
        unsent.bytes.extend_from_slice(&line[sent..]);
        self.has_unsent.notify_one();
        Ok(())
    }

    /// Sends the rest of messages as the worker reads them. Returns when the socket is closed.
    pub(super) async fn flush(&self) {
        loop {
            self.has_unsent.notified().await;
            while !self.unsent().rest().is_empty() {
                if self.writer.writable().await.is_err() {
                    return;
                }
                let mut unsent = self.unsent();
                match self.writer.try_write(unsent.rest()) {
                    Ok(sent) => unsent.drop_sent(sent),
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    Err(_) => return,
                }
            }
        }
    }

    fn unsent(&self) -> MutexGuard<'_, Unsent> {
        self.unsent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Unsent {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.sent..]
    }

    fn drop_sent(&mut self, count: usize) {
        self.sent += count;
        if self.sent == self.bytes.len() {
            *self = Self::default();
        } else if self.sent >= COMPACTED {
            self.bytes.drain(..self.sent);
            self.sent = 0;
        }
    }
}
