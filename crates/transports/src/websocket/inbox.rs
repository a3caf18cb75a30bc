//! The read buffer: bytes in, whole messages out.

use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::AsyncRead;
use tokio_util::io::poll_read_buf;

use super::frame::{self, FrameHeader, Opcode};
use super::{Error, PeerRole, spare};

/// Bytes that are read at once: a few audio frames.
const READ: usize = 4 << 10;

/// Maximum number of fragments of a message, plus one for each so many bytes.
const MAX_FRAGMENTS: usize = 1024;
const BYTES_PER_FRAGMENT: usize = 256;

#[derive(Debug)]
pub(super) struct Inbox {
    role: PeerRole,
    /// Maximum size of a message.
    most: usize,
    pub(super) read: Vec<u8>,
    /// Bytes of it that were consumed.
    taken: usize,
    message: MessageState,
    /// The fragments so far of a fragmented message, their number, and its type.
    pieces: Vec<u8>,
    count: usize,
    unfinished: Option<Opcode>,
}

/// Where the last message is.
#[derive(Debug)]
enum MessageState {
    /// Within the read buffer.
    Read(Range<usize>),
    /// In the buffer of fragments.
    Pieces,
}

impl Inbox {
    pub(super) fn new(role: PeerRole, read: Vec<u8>, most: usize) -> Self {
        let message = MessageState::Read(0..0);
        Self { role, most, read, taken: 0, message, pieces: Vec::new(), count: 0, unfinished: None }
    }

    /// The content of the last message.
    pub(super) fn payload(&self) -> &[u8] {
        match &self.message {
            MessageState::Read(range) => &self.read[range.clone()],
            MessageState::Pieces => &self.pieces,
        }
    }

    /// The type of the next whole message in the buffer.
    pub(super) fn next(&mut self) -> Result<Option<Opcode>, Error> {
        self.forget();
        while let Some(frame) = FrameHeader::read(&self.read[self.taken..])? {
            self.check(&frame)?;
            // The size was checked, so this does not overflow.
            let from = self.taken + frame.head;
            let payload = from..from + frame.length as usize;
            if self.read.len() < payload.end {
                break;
            }
            self.taken = payload.end;
            if let Some(mask) = frame.mask {
                frame::apply(mask, &mut self.read[payload.clone()]);
            }
            if let Some(opcode) = self.join(frame, payload)? {
                return Ok(Some(opcode));
            }
        }
        Ok(None)
    }

    /// Removes the message that was borrowed.
    fn forget(&mut self) {
        if let MessageState::Pieces = std::mem::replace(&mut self.message, MessageState::Read(0..0))
        {
            self.pieces = Vec::new();
        }
    }

    fn check(&self, frame: &FrameHeader) -> Result<(), Error> {
        if frame.mask.is_some() != (self.role == PeerRole::Server) {
            return Err(Error::Broken("a mask where there must be none, or none where there must"));
        }
        let before = if frame.opcode.is_control() { 0 } else { self.pieces.len() };
        if frame.length > (self.most - before) as u64 {
            return Err(Error::TooBig { most: self.most });
        }
        match (frame.opcode, self.unfinished) {
            (Opcode::Continuation, None) => Err(Error::Broken("the rest of no message")),
            (Opcode::Text | Opcode::Binary, Some(_)) => {
                Err(Error::Broken("a message within a message"))
            }
            _ => Ok(()),
        }
    }

    /// Joins fragments; an unfragmented message stays where it is.
    fn join(&mut self, frame: FrameHeader, payload: Range<usize>) -> Result<Option<Opcode>, Error> {
        let mut opcode = frame.opcode;
        if opcode.is_control() || (frame.is_final && self.unfinished.is_none()) {
            self.message = MessageState::Read(payload);
        } else {
            self.add_piece(payload)?;
            opcode = *self.unfinished.get_or_insert(opcode);
            if !frame.is_final {
                return Ok(None);
            }
            self.unfinished = None;
            self.message = MessageState::Pieces;
        }
        if opcode == Opcode::Text && str::from_utf8(self.payload()).is_err() {
            return Err(Error::NotUtf8);
        }
        Ok(Some(opcode))
    }

    /// Adds a fragment. A message of very many fragments, even empty ones, is too big as well, because it
    /// would never be reported.
    fn add_piece(&mut self, payload: Range<usize>) -> Result<(), Error> {
        if self.unfinished.is_none() {
            self.count = 0;
        }
        self.count += 1;
        if self.count > MAX_FRAGMENTS + self.most / BYTES_PER_FRAGMENT {
            return Err(Error::TooBig { most: self.most });
        }
        self.pieces.extend_from_slice(&self.read[payload]);
        Ok(())
    }

    /// Reads more. Returns the number of bytes. A stream that ends within a message is an error.
    pub(super) fn poll_fill<S: AsyncRead>(
        &mut self,
        stream: Pin<&mut S>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<usize, Error>> {
        self.read.drain(..std::mem::take(&mut self.taken));
        if self.read.capacity() == 0 {
            self.read = spare::take();
        }
        self.read.reserve(READ);
        let polled = poll_read_buf(stream, cx, &mut self.read);
        if polled.is_pending() && self.read.is_empty() {
            spare::give(std::mem::take(&mut self.read));
        }
        polled.map(|read| match read? {
            0 if !self.read.is_empty() || self.unfinished.is_some() => Err(Error::Ended),
            read => Ok(read),
        })
    }
}
