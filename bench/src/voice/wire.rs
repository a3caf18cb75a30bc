//! As little of WebSocket as audio takes: whole frames, read and written without a copy too many, so
//! that clients and provider take little of the processor they share with what is measured.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;

const BINARY: u8 = 2;
const TEXT: u8 = 1;

/// What a frame carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Binary,
}

/// Which end of the connection this is: clients mask what they send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Client,
    Server,
}

/// A connection after its handshake.
#[derive(Debug)]
pub(super) struct Wire {
    stream: TcpStream,
    end: End,
    read: Vec<u8>,
    /// Of what was read, what was taken.
    taken: usize,
    written: Vec<u8>,
}

impl Wire {
    /// Goes on with a connection of which nothing is left to be read.
    pub(super) fn new(socket: WebSocketStream<TcpStream>, end: End) -> Self {
        let stream = socket.into_inner();
        Self { stream, end, read: Vec::new(), taken: 0, written: Vec::new() }
    }

    /// The payload of the next frame; nothing at the end. Dropping the future loses nothing.
    pub(super) async fn next(&mut self) -> Option<&mut [u8]> {
        let frame = loop {
            match frame(&self.read[self.taken..]) {
                Some(frame) => break frame,
                None => self.fill().await?,
            }
        };
        let payload = &mut self.read[self.taken + frame.head..self.taken + frame.end];
        self.taken += frame.end;
        if let Some(mask) = frame.mask {
            unmask(mask, payload);
        }
        Some(payload)
    }

    async fn fill(&mut self) -> Option<()> {
        self.read.drain(..std::mem::take(&mut self.taken));
        self.read.reserve(4096);
        let read = self.stream.read_buf(&mut self.read).await.ok()?;
        (read > 0).then_some(())
    }

    /// Sends a frame whose payload is these pieces. A mask of zeros changes nothing, but the other
    /// end has to take it off all the same.
    pub(super) async fn send(&mut self, kind: Kind, pieces: &[&[u8]]) -> io::Result<()> {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        self.written.clear();
        self.written.push(0x80 | if kind == Kind::Text { TEXT } else { BINARY });
        let masked = if self.end == End::Client { 0x80 } else { 0 };
        match u16::try_from(length) {
            Ok(short) if short < 126 => self.written.push(masked | short as u8),
            Ok(length) => {
                self.written.push(masked | 126);
                self.written.extend(length.to_be_bytes());
            }
            Err(_) => return Err(io::Error::other("expected a frame of at most 65,535 bytes")),
        }
        if self.end == End::Client {
            self.written.extend([0; 4]);
        }
        pieces.iter().for_each(|piece| self.written.extend_from_slice(piece));
        self.stream.write_all(&self.written).await
    }
}

/// Takes a mask off, eight bytes at a time.
fn unmask(mask: [u8; 4], payload: &mut [u8]) {
    let wide = u64::from(u32::from_ne_bytes(mask)) * 0x1_0000_0001;
    let (chunks, rest) = payload.as_chunks_mut();
    chunks.iter_mut().for_each(|eight| *eight = (u64::from_ne_bytes(*eight) ^ wide).to_ne_bytes());
    rest.iter_mut().zip(mask.iter().cycle()).for_each(|(byte, mask)| *byte ^= mask);
}

/// Where the payload of a frame begins and ends.
struct Frame {
    head: usize,
    end: usize,
    mask: Option<[u8; 4]>,
}

/// The first frame of these bytes, if they have the whole of it.
fn frame(bytes: &[u8]) -> Option<Frame> {
    let second = *bytes.get(1)?;
    let (mut head, length) = match second & 0x7f {
        126 => (4, usize::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?))),
        short => (2, usize::from(short)),
    };
    let mut mask = None;
    if second & 0x80 != 0 {
        mask = Some(bytes.get(head..head + 4)?.try_into().ok()?);
        head += 4;
    }
    (bytes.len() >= head + length).then_some(Frame { head, end: head + length, mask })
}
