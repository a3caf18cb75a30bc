//! The queue of messages to a provider. When the provider is slow, the oldest audio is dropped, and counted;
//! nothing else ever is.

use std::collections::VecDeque;

/// Maximum number of queued audio bytes, encoded: more than five seconds at either rate.
const MAX_AUDIO_BYTES: usize = 384 * 1024;

/// The kind of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MessageLoad {
    Audio,
    Control,
}

/// A queued message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum QueuedMessage {
    Audio(String),
    Control(String),
    Ping,
}

impl QueuedMessage {
    fn is_audio(&self) -> bool {
        matches!(self, Self::Audio(_))
    }
}

#[derive(Debug, Default)]
pub(crate) struct Outbox {
    waiting: VecDeque<QueuedMessage>,
    /// Bytes of audio in the queue.
    audio: usize,
    dropped: u64,
}

impl Outbox {
    pub(crate) fn push(&mut self, load: MessageLoad, text: String) {
        if load == MessageLoad::Control {
            return self.waiting.push_back(QueuedMessage::Control(text));
        }
        self.audio += text.len();
        self.make_room();
        self.waiting.push_back(QueuedMessage::Audio(text));
    }

    pub(crate) fn ping(&mut self) {
        self.waiting.push_back(QueuedMessage::Ping);
    }

    fn make_room(&mut self) {
        while self.audio > MAX_AUDIO_BYTES {
            let oldest = self.waiting.iter().position(QueuedMessage::is_audio);
            let Some(QueuedMessage::Audio(text)) = oldest.and_then(|at| self.waiting.remove(at))
            else {
                return;
            };
            self.audio -= text.len();
            self.dropped += 1;
        }
    }

    pub(crate) fn next(&mut self) -> Option<QueuedMessage> {
        let message = self.waiting.pop_front()?;
        if let QueuedMessage::Audio(text) = &message {
            self.audio -= text.len();
        }
        Some(message)
    }

    /// Whether two seconds of audio are queued.
    pub(crate) fn is_behind(&self) -> bool {
        self.audio > MAX_AUDIO_BYTES / 3
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The number of dropped audio frames.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Counts audio that came without a connection.
    pub(crate) fn drop_audio(&mut self) {
        self.dropped += 1;
    }

    /// Drops all messages, because the connection is lost.
    pub(crate) fn discard(&mut self) {
        let audio = self.take().waiting.into_iter().filter(QueuedMessage::is_audio);
        self.dropped += audio.count() as u64;
    }

    /// Takes the messages, for a socket that is being left; the count stays.
    pub(crate) fn take(&mut self) -> Self {
        let waiting = std::mem::take(&mut self.waiting);
        Self { waiting, audio: std::mem::take(&mut self.audio), dropped: 0 }
    }
}

#[cfg(test)]
#[path = "outbox_tests.rs"]
mod tests;
