//! A WebSocket for one task that both reads and writes it. A message is lent from the buffer it was
//! received in, and one that is sent is put together in the buffer that is written: a conversation
//! sends and receives a hundred of them a second.

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

/// What is gathered before it is written.
const BUFFER: usize = 8 << 10;

/// Which end this is. A client masks what it sends, a server does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeerRole {
    Client,
    Server,
}

/// What came. What a text or a binary message says is [`WebSocket::payload`] until the next poll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebSocketReceived {
    Text,
    Binary,
    /// A sign of life, which was answered if it had to be.
    Pulse,
    /// The other end says goodbye, which was answered; nothing comes after it.
    Close(Option<CloseCause>),
}

/// Why an end says goodbye.
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
    /// Nothing is sent after it.
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
    /// Whether the stream holds back none of that.
    is_flushed: bool,
    masks: Option<Masks>,
    has_left: bool,
    was_left: bool,
}

impl<S: AsyncRead + AsyncWrite + Unpin> WebSocket<S> {
    /// Goes on with a stream of which this was read after the handshake. A message may have so many
    /// bytes.
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

    /// What the last message said.
    pub fn payload(&self) -> &[u8] {
        self.inbox.payload()
    }

    pub fn get_mut(&mut self) -> &mut S {
        &mut self.stream
    }

    /// What comes next; nothing at the end. Signs of life and goodbyes are answered on the way.
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
            // A message that came in pieces is told as what it began as.
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

    /// Gives back what came. An end that does not take what it is sent is owed no more than one buffer
    /// of answers, and the one to its goodbye.
    fn answer(&mut self, opcode: Opcode) {
        if !self.has_left && (opcode == Opcode::Close || !self.is_full()) {
            let mask = self.masks.as_mut().map(Masks::next);
            frame::write(&mut self.output, opcode, self.inbox.payload(), mask);
        }
    }

    /// Sends what can be sent. Reading does not wait for the rest, and what came before the other end
    /// cut the connection is still read.
    fn send_answers(&mut self, cx: &mut Context<'_>) -> Result<(), Error> {
        match self.poll_flush(cx) {
            Poll::Ready(Err(error)) if !error.is_cut() => Err(error),
            Poll::Ready(_) | Poll::Pending => Ok(()),
        }
    }

    /// Whether another message should wait until what is gathered was written.
    pub fn is_full(&self) -> bool {
        self.waiting() >= BUFFER
    }

    fn waiting(&self) -> usize {
        self.output.len() - self.written
    }

    /// Puts a message where it is sent from; [`WebSocket::poll_flush`] sends it.
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

    /// Writes what waits. Ready when all is handed to the network.
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

    /// An end that is always a little behind must not have all kept that it was ever sent.
    fn forget_written(&mut self) {
        if self.written > 0 && self.written >= self.waiting() {
            self.output.drain(..std::mem::take(&mut self.written));
        }
    }
}

/// Masks that nobody can foretell: a keyed hash of a number, under a key of this process's own.
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
