//! The queue of messages to a client. A slow client loses the oldest audio first, which is counted; text is
//! never dropped. A client that does not even take the text is disconnected.

use std::collections::VecDeque;

use super::protocol::VoiceServerMessage;

/// Maximum number of queued text bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// A queued message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum QueuedMessage {
    Words(String),
    Audio(Vec<u8>),
    Ping,
    Close(u16, &'static str),
}

impl QueuedMessage {
    fn is_audio(&self) -> bool {
        matches!(self, Self::Audio(_))
    }
}

/// The queue of one connection.
#[derive(Debug)]
pub(crate) struct Outbox {
    waiting: VecDeque<QueuedMessage>,
    audio: usize,
    words: usize,
    max_audio: usize,
    dropped: u64,
}

/// Whether a text message was queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutboxRoom {
    Left,
    /// Too much text is queued.
    None,
}

impl Outbox {
    /// An outbox that queues at most so many bytes of audio.
    pub(crate) fn new(max_audio: usize) -> Self {
        Self { waiting: VecDeque::new(), audio: 0, words: 0, max_audio, dropped: 0 }
    }

    pub(crate) fn push_message(&mut self, message: &VoiceServerMessage) -> OutboxRoom {
        let frame = message.frame();
        self.words += frame.len();
        self.waiting.push_back(QueuedMessage::Words(frame));
        if self.words > MAX_TEXT_BYTES { OutboxRoom::None } else { OutboxRoom::Left }
    }

    pub(crate) fn play(&mut self, pcm: Vec<u8>) {
        self.audio += pcm.len();
        self.waiting.push_back(QueuedMessage::Audio(pcm));
        while self.audio > self.max_audio && self.drop_oldest_audio() {
            self.dropped += 1;
        }
    }

    pub(crate) fn ping(&mut self) {
        self.waiting.push_back(QueuedMessage::Ping);
    }

    /// Queues a close frame, after which nothing is sent.
    pub(crate) fn close(&mut self, code: u16, reason: &'static str) {
        self.clear_audio();
        self.waiting.push_back(QueuedMessage::Close(code, reason));
    }

    /// Drops queued audio. Returns the number of bytes.
    pub(crate) fn clear_audio(&mut self) -> usize {
        self.waiting.retain(|message| !message.is_audio());
        std::mem::take(&mut self.audio)
    }

    pub(crate) fn next(&mut self) -> Option<QueuedMessage> {
        let message = self.waiting.pop_front()?;
        match &message {
            QueuedMessage::Audio(pcm) => self.audio -= pcm.len(),
            QueuedMessage::Words(text) => self.words -= text.len(),
            QueuedMessage::Ping | QueuedMessage::Close(..) => {}
        }
        Some(message)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The number of dropped audio frames.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    fn drop_oldest_audio(&mut self) -> bool {
        let oldest = self.waiting.iter().position(QueuedMessage::is_audio);
        let Some(QueuedMessage::Audio(pcm)) = oldest.and_then(|at| self.waiting.remove(at)) else {
            return false;
        };
        self.audio -= pcm.len();
        true
    }
}

#[cfg(test)]
#[path = "outbox_tests.rs"]
mod tests;
