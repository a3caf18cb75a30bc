//! What waits to be sent. When the provider does not take it fast enough, old
//! audio is dropped before anything else ever is, and counted.

use std::collections::VecDeque;

/// How many bytes of audio may wait, as they are sent: more than five seconds at either rate.
const MOST_AUDIO: usize = 384 * 1024;

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MessageLoad {
    Audio,
    Control,
}

/// A message that waits.
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
    /// Bytes of audio among it.
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
        while self.audio > MOST_AUDIO {
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

    /// Whether as much audio waits as two seconds have.
    pub(crate) fn is_behind(&self) -> bool {
        self.audio > MOST_AUDIO / 3
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

    /// Nobody is left to take what waits.
    pub(crate) fn discard(&mut self) {
        let audio = self.take().waiting.into_iter().filter(QueuedMessage::is_audio);
        self.dropped += audio.count() as u64;
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
