//! WebSocket frames (RFC 6455, section 5).

use super::{CloseCause, Error};

/// Maximum payload of a control frame.
const MAX_CONTROL: u64 = 125;

/// Maximum size of a frame header.
const MAX_HEAD: usize = 14;

const FINAL: u8 = 0x80;
const RESERVED: u8 = 0x70;
const MASKED: u8 = 0x80;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opcode {
    Continuation = 0,
    Text = 1,
    Binary = 2,
    Close = 8,
    Ping = 9,
    Pong = 10,
}

impl Opcode {
    fn read(first: u8) -> Result<Self, Error> {
        Ok(match first & 0x0f {
            0 => Self::Continuation,
            1 => Self::Text,
            2 => Self::Binary,
            8 => Self::Close,
            9 => Self::Ping,
            10 => Self::Pong,
            _ => return Err(Error::Broken("a frame of a kind that is not known")),
        })
    }

    pub(super) fn is_control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }
}

/// A frame header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FrameHeader {
    pub(super) opcode: Opcode,
    /// Whether it is the last frame of its message.
    pub(super) is_final: bool,
    pub(super) mask: Option<[u8; 4]>,
    /// The size of the header.
    pub(super) head: usize,
    pub(super) length: u64,
}

impl FrameHeader {
    /// The frame header at the start of these bytes, if it is complete.
    pub(super) fn read(bytes: &[u8]) -> Result<Option<Self>, Error> {
        let [first, second, rest @ ..] = bytes else { return Ok(None) };
        let (extra, length) = match second & !MASKED {
            126 => (2, rest.first_chunk().map(|length| u16::from_be_bytes(*length).into())),
            127 => (8, rest.first_chunk().map(|length| u64::from_be_bytes(*length))),
            short => (0, Some(u64::from(short))),
        };
        let Some(length) = length else { return Ok(None) };
        let (mut head, mut mask) = (2 + extra, None);
        if second & MASKED != 0 {
            let Some(found) = rest.get(extra..).and_then(<[u8]>::first_chunk) else {
                return Ok(None);
            };
            (head, mask) = (head + found.len(), Some(*found));
        }
        let frame = Self {
            opcode: Opcode::read(*first)?,
            is_final: first & FINAL != 0,
            mask,
            head,
            length,
        };
        frame.check(*first)?;
        Ok(Some(frame))
    }

    fn check(&self, first: u8) -> Result<(), Error> {
        if first & RESERVED != 0 {
            return Err(Error::Broken("a frame of an extension that was not agreed on"));
        }
        if self.opcode.is_control() && (!self.is_final || self.length > MAX_CONTROL) {
            return Err(Error::Broken("a control frame that is long or in pieces"));
        }
        Ok(())
    }
}

/// Appends a whole frame.
pub(super) fn write(output: &mut Vec<u8>, opcode: Opcode, payload: &[u8], mask: Option<[u8; 4]>) {
    output.reserve(MAX_HEAD + payload.len());
    output.push(FINAL | opcode as u8);
    let masked = if mask.is_some() { MASKED } else { 0 };
    match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
        (Ok(length), _) if u64::from(length) <= MAX_CONTROL => output.push(masked | length),
        (_, Ok(length)) => {
            output.push(masked | 126);
            output.extend_from_slice(&length.to_be_bytes());
        }
        _ => {
            output.push(masked | 127);
            output.extend_from_slice(&(payload.len() as u64).to_be_bytes());
        }
    }
    output.extend_from_slice(mask.as_ref().map_or(&[][..], |mask| mask));
    let from = output.len();
    output.extend_from_slice(payload);
    if let Some(mask) = mask {
        apply(mask, &mut output[from..]);
    }
}

/// Masks or unmasks a payload.
pub(super) fn apply(mask: [u8; 4], payload: &mut [u8]) {
    let [a, b, c, d] = mask;
    let wide = u64::from_ne_bytes([a, b, c, d, a, b, c, d]);
    let (chunks, rest) = payload.as_chunks_mut();
    for chunk in chunks {
        *chunk = (u64::from_ne_bytes(*chunk) ^ wide).to_ne_bytes();
    }
    for (byte, mask) in rest.iter_mut().zip(mask.iter().cycle()) {
        *byte ^= mask;
    }
}

/// Appends a close frame. A reason that is too long is shortened.
pub(super) fn write_farewell(
    output: &mut Vec<u8>,
    farewell: Option<(u16, &str)>,
    mask: Option<[u8; 4]>,
) {
    let mut payload = Vec::new();
    if let Some((code, reason)) = farewell {
        payload.extend_from_slice(&code.to_be_bytes());
        let room = MAX_CONTROL as usize - payload.len();
        payload.extend_from_slice(&reason.as_bytes()[..reason.floor_char_boundary(room)]);
    }
    write(output, Opcode::Close, &payload, mask);
}

/// The contents of a close frame.
pub(super) fn farewell(payload: &[u8]) -> Result<Option<CloseCause>, Error> {
    if payload.is_empty() {
        return Ok(None);
    }
    let read = payload.split_first_chunk().and_then(|(code, reason)| {
        let (code, reason) = (u16::from_be_bytes(*code), str::from_utf8(reason).ok()?);
        is_code(code).then(|| CloseCause { code, reason: reason.to_owned() })
    });
    read.map(Some).ok_or(Error::Broken("a goodbye that cannot be read"))
}

/// Whether a peer may send this close code.
fn is_code(code: u16) -> bool {
    matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999)
}
