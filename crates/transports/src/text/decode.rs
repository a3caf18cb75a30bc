//! Decodes bytes to events of a reply, within size limits. `attempt` reads the bytes.

use std::collections::VecDeque;

use aileron_contract::text::{ReplyEvent, ReplyFault};

use super::fault::{LocalFault, is_page};
use super::options::ByteLimits;
use super::protocol::{DecodeStatus, Decoder};
use super::sse::{Sse, SseError, SseEvent};

/// The body of one response.
#[derive(Debug)]
pub(super) struct ReplyDecoder {
    sse: Sse,
    decoder: Box<dyn Decoder>,
    bytes: usize,
    most: usize,
}

impl ReplyDecoder {
    pub(super) fn new(decoder: Box<dyn Decoder>, limits: ByteLimits) -> Self {
        Self { sse: Sse::new(limits.event), decoder, bytes: 0, most: limits.reply }
    }

    /// Takes more bytes. Events before a fault are emitted.
    pub(super) fn take(
        &mut self,
        bytes: &[u8],
        ready: &mut VecDeque<ReplyEvent>,
    ) -> Result<DecodeStatus, ReplyFault> {
        if self.bytes == 0 && is_page(&String::from_utf8_lossy(bytes)) {
            return Err(
                LocalFault::NotAStream.fault("expected a stream of events, found an HTML page")
            );
        }
        self.bytes += bytes.len();
        if self.bytes > self.most {
            let most = self.most;
            return Err(
                LocalFault::TooLarge.fault(format!("expected at most {most} bytes, found more"))
            );
        }
        self.sse.push(bytes);
        while let Some(frame) = self.sse.next().map_err(framing)? {
            if self.read(&frame, ready)? == DecodeStatus::Over {
                return Ok(DecodeStatus::Over);
            }
        }
        Ok(DecodeStatus::More)
    }

    /// There are no more bytes.
    pub(super) fn end(
        &mut self,
        ready: &mut VecDeque<ReplyEvent>,
    ) -> Result<DecodeStatus, ReplyFault> {
        if let Some(frame) = self.sse.finish().map_err(framing)?
            && self.read(&frame, ready)? == DecodeStatus::Over
        {
            return Ok(DecodeStatus::Over);
        }
        let mut out = Vec::new();
        let ended = self.decoder.end(&mut out);
        ready.extend(out);
        ended.map(|()| DecodeStatus::Over)
    }

    fn read(
        &mut self,
        frame: &SseEvent,
        ready: &mut VecDeque<ReplyEvent>,
    ) -> Result<DecodeStatus, ReplyFault> {
        let mut out = Vec::new();
        let progress = self.decoder.read(frame, &mut out);
        ready.extend(out);
        progress
    }
}

fn framing(error: SseError) -> ReplyFault {
    match error {
        SseError::TooLong => {
            LocalFault::TooLarge.fault("expected a shorter event, found one without end")
        }
        SseError::NotUtf8 => {
            LocalFault::NotUtf8.fault("expected events in UTF-8, found other bytes")
        }
    }
}
