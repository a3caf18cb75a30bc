//! A WebSocket for one task that both reads and writes. A received message is borrowed from the read
//! buffer, and a message to send is written into the output buffer: a voice session has a hundred messages
//! a second.

mod error;
mod frame;
mod handshake;
mod inbox;
mod spare;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite};

pub use self::error::Error;
pub use self::handshake::connect;

use self::frame::Opcode;
use self::inbox::Inbox;

/// Size at which the output buffer is written.
const BUFFER: usize = 8 << 10;

/// Which end this is. A client masks its frames, a server does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeerRole {
    Client,
    Server,
}

/// An input. The content of a text or binary message is [`WebSocket::payload`] until the next poll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebSocketReceived {
    Text,
    Binary,
    /// A ping or pong. A ping was answered.
    Pulse,
    /// A close frame, which was answered; nothing comes after it.
    Close(Option<CloseCause>),
}

/// The contents of a close frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseCause {
    pub code: u16,
    pub reason: String,
}

/// A message to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outgoing<'a> {
    Text(&'a str),
    Binary(&'a [u8]),
    Ping,
    /// A close frame. Nothing is sent after it.
    Close(Option<(u16, &'a str)>),
}

/// A WebSocket whose handshake is over.
#[derive(Debug)]
pub struct WebSocket<S> {
    stream: S,
    inbox: Inbox,
    output: Vec<u8>,
    /// Bytes of the output that were written.
    written: usize,
    /// Whether the stream has flushed them.
    is_flushed: bool,
    masks: Option<Masks>,
    has_left: bool,
    was_left: bool,
}

impl<S: AsyncRead + AsyncWrite + Unpin> WebSocket<S> {
    /// Continues a stream after the handshake; `read` are the bytes that were already read, `most` is the
    /// maximum message size.
    pub fn new(stream: S, role: PeerRole, read: Vec<u8>, most: usize) -> Self {
        Self {
            stream,
            inbox: Inbox::new(role, read, most),
            output: Vec::new(),
            written: 0,
            is_flushed: true,
            masks: (role == PeerRole::Client).then(Masks::default),
            has_left: false,
            was_left: false,
        }
    }

    /// The content of the last message.
    pub fn payload(&self) -> &[u8] {
        self.inbox.payload()
    }

    pub fn get_mut(&mut self) -> &mut S {
        &mut self.stream
    }

    /// The next input; `None` at the end. Answers pings and close frames.
    pub fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<WebSocketReceived, Error>>> {
        self.poll_receive(cx).map(Result::transpose)
    }

    fn poll_receive(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<WebSocketReceived>, Error>> {
        if !self.output.is_empty() {
            self.send_answers(cx)?;
        }
        while !self.was_left {
            if let Some(opcode) = self.inbox.next()? {
                let received = self.take(opcode)?;
                if opcode.is_control() {
                    self.send_answers(cx)?;
                }
                return Poll::Ready(Ok(Some(received)));
            }
            if ready!(self.inbox.poll_fill(Pin::new(&mut self.stream), cx))? == 0 {
                break;
            }
        }
        Poll::Ready(Ok(None))
    }

    fn take(&mut self, opcode: Opcode) -> Result<WebSocketReceived, Error> {
        Ok(match opcode {
            Opcode::Text => WebSocketReceived::Text,
            // A fragmented message is reported with the type of its first frame.
            Opcode::Binary | Opcode::Continuation => WebSocketReceived::Binary,
            Opcode::Pong => WebSocketReceived::Pulse,
            Opcode::Ping => {
                self.answer(Opcode::Pong);
                WebSocketReceived::Pulse
            }
            Opcode::Close => {
                let farewell = frame::farewell(self.inbox.payload())?;
                self.answer(Opcode::Close);
                (self.has_left, self.was_left) = (true, true);
                WebSocketReceived::Close(farewell)
            }
        })
    }

    /// Queues the answer to a ping or close frame. A peer that does not read gets at most one buffer of
    /// answers, and the answer to its close frame.
    fn answer(&mut self, opcode: Opcode) {
        if !self.has_left && (opcode == Opcode::Close || !self.is_full()) {
            let mask = self.masks.as_mut().map(Masks::next);
            frame::write(&mut self.output, opcode, self.inbox.payload(), mask);
        }
    }

    /// Sends as much as possible. Reading does not wait for the rest, and data that came before the peer
    /// reset the connection is still read.
    fn send_answers(&mut self, cx: &mut Context<'_>) -> Result<(), Error> {
        match self.poll_flush(cx) {
            Poll::Ready(Err(error)) if !error.is_cut() => Err(error),
            Poll::Ready(_) | Poll::Pending => Ok(()),
        }
    }

    /// Whether another message should wait until the output buffer is written.
    pub fn is_full(&self) -> bool {
        self.waiting() >= BUFFER
    }

    fn waiting(&self) -> usize {
        self.output.len() - self.written
    }

    /// Writes a message into the output buffer; [`WebSocket::poll_flush`] sends it.
    pub fn send(&mut self, message: Outgoing<'_>) {
        if self.has_left {
            return;
        }
        if self.output.capacity() == 0 {
            self.output = spare::take();
        }
        let mask = self.masks.as_mut().map(Masks::next);
        let output = &mut self.output;
        match message {
            Outgoing::Text(text) => frame::write(output, Opcode::Text, text.as_bytes(), mask),
            Outgoing::Binary(bytes) => frame::write(output, Opcode::Binary, bytes, mask),
            Outgoing::Ping => frame::write(output, Opcode::Ping, &[], mask),
            Outgoing::Close(farewell) => {
                self.has_left = true;
                frame::write_farewell(output, farewell, mask);
            }
        }
    }

    /// Writes the output buffer. Ready when all is handed to the network.
    pub fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.forget_written();
        while self.waiting() > 0 {
            let rest = &self.output[self.written..];
            let written = ready!(Pin::new(&mut self.stream).poll_write(cx, rest))?;
            if written == 0 {
                return Poll::Ready(Err(Error::Ended));
            }
            self.written += written;
            self.is_flushed = false;
        }
        if !self.is_flushed {
            spare::give(std::mem::take(&mut self.output));
            self.written = 0;
            ready!(Pin::new(&mut self.stream).poll_flush(cx))?;
            self.is_flushed = true;
        }
        Poll::Ready(Ok(()))
    }

    /// Removes written bytes, so that the buffer of a slow peer does not grow without bound.
    fn forget_written(&mut self) {
        if self.written > 0 && self.written >= self.waiting() {
            self.output.drain(..std::mem::take(&mut self.written));
        }
    }
}

/// Unpredictable masks: a keyed hash of a counter, with a random key of this process.
#[derive(Debug, Default)]
struct Masks {
    key: RandomState,
    count: u64,
}

impl Masks {
    fn next(&mut self) -> [u8; 4] {
        self.count += 1;
        let [a, b, c, d, ..] = self.key.hash_one(self.count).to_le_bytes();
        [a, b, c, d]
    }
}

#[cfg(test)]
#[path = "websocket_tests.rs"]
mod tests;
