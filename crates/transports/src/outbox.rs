//! What waits to be sent. When the provider does not take it fast enough, old
//! audio is dropped before anything else ever is, and counted.

use std::collections::VecDeque;

use tokio_tungstenite::tungstenite::{Bytes, Message};

/// How many pieces of audio may wait: five seconds of 20 ms each.
const MOST_AUDIO: usize = 250;

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    Audio,
    Control,
}

#[derive(Debug, Default)]
pub(crate) struct Outbox {
    waiting: VecDeque<(Load, Message)>,
    audio: usize,
    dropped: u64,
}

impl Outbox {
    pub(crate) fn push(&mut self, load: Load, text: String) {
        if load == Load::Audio {
            self.make_room();
            self.audio += 1;
        }
        self.waiting.push_back((load, Message::text(text)));
    }

    pub(crate) fn ping(&mut self) {
        self.waiting.push_back((Load::Control, Message::Ping(Bytes::new())));
    }

    fn make_room(&mut self) {
        if self.audio < MOST_AUDIO {
            return;
        }
        let oldest = self.waiting.iter().position(|(load, _)| *load == Load::Audio);
        if oldest.and_then(|at| self.waiting.remove(at)).is_some() {
            self.audio -= 1;
            self.dropped += 1;
        }
    }

    pub(crate) fn next(&mut self) -> Option<Message> {
        let (load, message) = self.waiting.pop_front()?;
        if load == Load::Audio {
            self.audio -= 1;
        }
        Some(message)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Pieces of audio that were dropped, ever.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Audio that nobody is there to take.
    pub(crate) fn drop_audio(&mut self) {
        self.dropped += 1;
    }

    /// What waits, for a socket that is being left; the count stays.
    pub(crate) fn take(&mut self) -> Self {
        let waiting = std::mem::take(&mut self.waiting);
        Self { waiting, audio: std::mem::take(&mut self.audio), dropped: 0 }
    }
}

#[cfg(test)]
#[path = "outbox_tests.rs"]
mod tests;
