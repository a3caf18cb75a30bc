//! The utterances of the model, with the amount of audio of each, so that a reply can be truncated, and their
//! transcript.

use std::collections::VecDeque;

use aileron_contract::transport::Utterance;

use crate::audio::WholeSamples;
use crate::spoken_words::SpokenWords;

/// Maximum number of utterances; older ones were played long ago.
const MAX_UTTERANCES: usize = 32;

/// 24 kHz, 16 bits, one channel.
const BYTES_PER_MS: u64 = 48;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct OutputItems {
    utterances: VecDeque<OutputItem>,
    begun: u32,
    samples: WholeSamples,
    words: SpokenWords,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct OutputItem {
    utterance: Utterance,
    item_id: String,
    content_index: u64,
    place: UtteranceOwner,
    bytes: u64,
    delivered: bool,
}

/// Whether an utterance is part of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UtteranceOwner {
    Conversation,
    /// Outside of the conversation: it cannot be truncated.
    OutOfBand,
}

/// A truncation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AudioTruncation {
    pub(super) item_id: String,
    pub(super) content_index: u64,
    pub(super) audio_end_ms: u64,
}

impl OutputItems {
    /// More audio of an item. Returns its utterance.
    pub(super) fn audio(
        &mut self,
        item: (&str, u64),
        place: UtteranceOwner,
        pcm: Vec<u8>,
    ) -> (Utterance, Vec<u8>) {
        if self
            .utterances
            .back()
            .is_none_or(|last| (last.item_id.as_str(), last.content_index) != item)
        {
            self.begin(item, place);
        }
        let pcm = self.samples.take(pcm);
        let Some(entry) = self.utterances.back_mut() else { return (Utterance(0), pcm) };
        entry.bytes = entry.bytes.saturating_add(pcm.len() as u64);
        self.words.audio(pcm.len());
        (entry.utterance, pcm)
    }

    fn begin(&mut self, (item_id, content_index): (&str, u64), place: UtteranceOwner) {
        if self.utterances.len() == MAX_UTTERANCES {
            self.utterances.pop_front();
        }
        let (utterance, item_id) = (Utterance(self.begun), item_id.to_owned());
        let entry =
            OutputItem { utterance, item_id, content_index, place, bytes: 0, delivered: false };
        self.utterances.push_back(entry);
        self.begun = self.begun.wrapping_add(1);
        self.samples.reset();
    }

    /// The audio so far is complete.
    pub(super) fn delivered(&mut self) {
        self.utterances.iter_mut().for_each(|entry| entry.delivered = true);
    }

    /// The truncation of an utterance of which only this much was played; none if all of it was. The server
    /// refuses a position beyond the end.
    pub(super) fn cut(&self, utterance: Utterance, played_ms: u64) -> Option<AudioTruncation> {
        let entry = self.utterances.iter().find(|entry| entry.utterance == utterance)?;
        let total_ms = entry.bytes / BYTES_PER_MS;
        let heard_all = entry.delivered && played_ms >= total_ms;
        if heard_all || entry.place == UtteranceOwner::OutOfBand {
            return None;
        }
        let (item_id, content_index) = (entry.item_id.clone(), entry.content_index);
        Some(AudioTruncation { item_id, content_index, audio_end_ms: played_ms.min(total_ms) })
    }

    /// More text of the transcript.
    pub(super) fn words(&mut self, words: &str) {
        self.words.push(words);
    }

    /// Removes the text that was not played.
    pub(super) fn truncate_words(&mut self, played_ms: u64) {
        self.words.truncate(played_ms);
    }

    /// Takes the transcript, because the utterance is over.
    pub(super) fn take_words(&mut self) -> Option<String> {
        self.words.restart_audio();
        Some(self.words.take()).filter(|words| !words.trim().is_empty())
    }
}

#[cfg(test)]
#[path = "output_items_tests.rs"]
mod tests;
