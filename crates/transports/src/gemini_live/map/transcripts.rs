//! Fragments of speech in words, put together to what was said.
//!
//! The provider promises no order between the words of the person and the reply to them, and often
//! does not say when the person has finished. What the person said is taken as finished when the
//! model begins to answer; words that come later are finished by the end of the model's turn.

use aileron_contract::transport::{Effects, ProviderEvent, Speaker, TranscriptStage};

use crate::spoken_words::SpokenWords;

/// The most bytes of what the person says that are put together; more are passed on as fragments only.
const MOST: usize = 64 * 1024;

/// What was said and is not finished.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Transcripts {
    person: String,
    model: SpokenWords,
    answering: bool,
    /// Whether what the person said to begin the turn is known.
    known: bool,
    /// Whether the model was told something in writing that it has not begun to answer.
    written: bool,
}

impl Transcripts {
    /// More words of somebody.
    pub(super) fn heard(&mut self, by: Speaker, text: &str, effects: &mut Effects) {
        if text.is_empty() {
            return;
        }
        match by {
            Speaker::Model => self.model.push(text),
            Speaker::Person if self.person.len() + text.len() <= MOST => self.person.push_str(text),
            Speaker::Person => {}
        }
        effects.tell(ProviderEvent::Transcript {
            by,
            text: text.to_owned(),
            stage: TranscriptStage::Delta,
        });
    }

    /// Somebody has finished. Nothing is told of one who said nothing.
    pub(super) fn finished(&mut self, by: Speaker, effects: &mut Effects) {
        let text = match by {
            Speaker::Person => std::mem::take(&mut self.person),
            Speaker::Model => self.model.take(),
        };
        if !text.trim().is_empty() {
            self.known |= by == Speaker::Person;
            effects.tell(ProviderEvent::Transcript { by, text, stage: TranscriptStage::Final });
        }
    }

    /// The model is to answer what is written, so that no spoken words are waited for.
    pub(super) fn written(&mut self) {
        self.written = true;
    }

    /// Whether the words that began the turn are known.
    pub(super) fn knows_person(&self) -> bool {
        self.known
    }

    /// Whether the model is replying, or is about to.
    pub(super) fn reply_is_due(&self) -> bool {
        self.answering || self.known || self.written
    }

    /// Whether nobody is in the middle of anything, as far as it was put into words.
    pub(super) fn is_idle(&self) -> bool {
        !self.reply_is_due() && self.person.is_empty()
    }

    /// The model does or says something.
    pub(super) fn answering(&mut self, effects: &mut Effects) {
        if !self.answering {
            self.answering = true;
            self.known |= std::mem::take(&mut self.written);
            self.finished(Speaker::Person, effects);
        }
    }

    /// The model was cut short. What the person says meanwhile goes on.
    pub(super) fn interrupted(&mut self, effects: &mut Effects) {
        (self.answering, self.known) = (false, false);
        self.finished(Speaker::Model, effects);
    }

    /// The model is not listened to any more, and only this much of its utterance was heard.
    pub(super) fn muted(&mut self, played_ms: u64, effects: &mut Effects) {
        self.model.truncate(played_ms);
        self.finished(Speaker::Model, effects);
    }

    /// More audio of the model.
    pub(super) fn audio(&mut self, bytes: usize) {
        self.model.audio(bytes);
    }

    /// The model's utterance is over.
    pub(super) fn utterance_over(&mut self) {
        self.model.restart_audio();
    }

    /// The model's turn ended by itself.
    pub(super) fn turn_ended(&mut self, effects: &mut Effects) {
        self.finished(Speaker::Person, effects);
        self.finished(Speaker::Model, effects);
        (self.answering, self.known) = (false, false);
    }
}
