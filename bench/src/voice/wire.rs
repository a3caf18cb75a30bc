//! The part of WebSocket that audio needs: whole frames, read and written with few copies, so that
//! clients and provider use little processor time.

use std::io::{self, ErrorKind, Read, Write};

use mio::net::TcpStream;

const BINARY: u8 = 2;
const TEXT: u8 = 1;

/// The size of a read: a few frames.
const READ: usize = 4096;

/// If more bytes than this are unsent, no more frames are sent until the peer reads.
const MOST_UNSENT: usize = 1 << 20;

/// The payload type of a frame.
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

/// A connection after its handshake, which never blocks.
#[derive(Debug)]
pub(super) struct Wire {
    stream: TcpStream,
    end: End,
    read: Vec<u8>,
    /// How many of the bytes read were consumed.
    taken: usize,
    /// Whether the socket has no data until it becomes readable again.
    is_drained: bool,
    unsent: Vec<u8>,
}

impl Wire {
    /// Continues a connection that has no unread data.
    pub(super) fn new(stream: std::net::TcpStream, end: End) -> Self {
        let stream = TcpStream::from_std(stream);
        Self { stream, end, read: Vec::new(), taken: 0, is_drained: false, unsent: Vec::new() }
    }

    pub(super) fn stream(&mut self) -> &mut TcpStream {
        &mut self.stream
    }

    /// Notes that the socket may be readable again.
    pub(super) fn rang(&mut self) {
        self.is_drained = false;
    }

    /// The payload of the next frame, if it is complete.
    pub(super) fn next(&mut self) -> io::Result<Option<&mut [u8]>> {
        let frame = loop {
            if let Some(frame) = frame(&self.read[self.taken..]) {
                break frame;
            }
            if !self.fill()? {
                return Ok(None);
            }
        };
        let payload = &mut self.read[self.taken + frame.head..self.taken + frame.end];
        self.taken += frame.end;
        if let Some(mask) = frame.mask {
            unmask(mask, payload);
        }
        Ok(Some(payload))
    }

    /// Reads once; returns whether there was data.
    fn fill(&mut self) -> io::Result<bool> {
        if self.is_drained {
            return Ok(false);
        }
        self.read.drain(..std::mem::take(&mut self.taken));
        let had = self.read.len();
        self.read.resize(had + READ, 0);
        let read = self.stream.read(&mut self.read[had..]);
        self.read.truncate(had + read.as_ref().map_or(0, |read| *read));
        self.is_drained = self.read.len() < had + READ;
        match read {
            Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Sends a frame whose payload is these pieces, or as much as the socket accepts; the rest goes
    /// with the next. A mask of zeros changes nothing, but the peer still has to remove it.
    pub(super) fn send(&mut self, kind: Kind, pieces: &[&[u8]]) -> io::Result<()> {
        if self.unsent.len() < MOST_UNSENT {
            self.put(kind, pieces)?;
        }
        match self.stream.write(&self.unsent) {
            Ok(sent) => drop(self.unsent.drain(..sent)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn put(&mut self, kind: Kind, pieces: &[&[u8]]) -> io::Result<()> {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        let short = u16::try_from(length);
        let short = short.map_err(|_| io::Error::other("expected at most 65,535 bytes"))?;
        self.unsent.push(0x80 | if kind == Kind::Text { TEXT } else { BINARY });
        let masked = if self.end == End::Client { 0x80 } else { 0 };
        if short < 126 {
            self.unsent.push(masked | short as u8);
        } else {
            self.unsent.push(masked | 126);
            self.unsent.extend(short.to_be_bytes());
        }
        if self.end == End::Client {
            self.unsent.extend([0; 4]);
        }
        pieces.iter().for_each(|piece| self.unsent.extend_from_slice(piece));
        Ok(())
    }
}

/// Removes a mask, eight bytes at a time.
fn unmask(mask: [u8; 4], payload: &mut [u8]) {
    let wide = u64::from(u32::from_ne_bytes(mask)) * 0x1_0000_0001;
    let (chunks, rest) = payload.as_chunks_mut();
    chunks.iter_mut().for_each(|eight| *eight = (u64::from_ne_bytes(*eight) ^ wide).to_ne_bytes());
    rest.iter_mut().zip(mask.iter().cycle()).for_each(|(byte, mask)| *byte ^= mask);
}

/// The start and the end of a frame's payload.
struct Frame {
    head: usize,
    end: usize,
    mask: Option<[u8; 4]>,
}

/// The first frame of these bytes, if it is complete.
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
