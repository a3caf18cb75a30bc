//! What was received: bytes in, whole messages out.

use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::AsyncRead;
use tokio_util::io::poll_read_buf;

use super::frame::{self, FrameHeader, Opcode};
use super::{Error, PeerRole, spare};

/// What is read at once: a few pieces of audio.
const READ: usize = 4 << 10;

/// In how many pieces any message may come, and for how many of its bytes there may be one more.
const MOST_PIECES: usize = 1024;
const BYTES_A_PIECE: usize = 256;

#[derive(Debug)]
pub(super) struct Inbox {
    role: PeerRole,
    /// The most bytes of a message.
    most: usize,
    pub(super) read: Vec<u8>,
    /// Bytes of it that were taken.
    taken: usize,
    message: MessageState,
    /// The pieces so far of a message that comes in several, how many they are, and what it is.
    pieces: Vec<u8>,
    count: usize,
    unfinished: Option<Opcode>,
}

/// Where the last message is.
#[derive(Debug)]
enum MessageState {
    /// Within what was read.
    Read(Range<usize>),
    /// It came in pieces.
    Pieces,
}

impl Inbox {
    pub(super) fn new(role: PeerRole, read: Vec<u8>, most: usize) -> Self {
        let message = MessageState::Read(0..0);
        Self { role, most, read, taken: 0, message, pieces: Vec::new(), count: 0, unfinished: None }
    }

    /// What the last message said.
    pub(super) fn payload(&self) -> &[u8] {
        match &self.message {
            MessageState::Read(range) => &self.read[range.clone()],
            MessageState::Pieces => &self.pieces,
        }
    }

    /// What the next whole message of what was read is.
    pub(super) fn next(&mut self) -> Result<Option<Opcode>, Error> {
        self.forget();
        while let Some(frame) = FrameHeader::read(&self.read[self.taken..])? {
            self.check(&frame)?;
            // No more than may be, so that it fits.
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

    /// The message that was lent is not needed any more.
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

    /// Puts pieces together; a message that came in one stays where it is.
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

    /// A message in very many pieces, be they empty, is too big as well: until its last one comes,
    /// nobody learns of it.
    fn add_piece(&mut self, payload: Range<usize>) -> Result<(), Error> {
        if self.unfinished.is_none() {
            self.count = 0;
        }
        self.count += 1;
        if self.count > MOST_PIECES + self.most / BYTES_A_PIECE {
            return Err(Error::TooBig { most: self.most });
        }
        self.pieces.extend_from_slice(&self.read[payload]);
        Ok(())
    }

    /// Reads more; says how many bytes came. A stream that ends within a message is an error.
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
