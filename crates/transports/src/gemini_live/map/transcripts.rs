//! Joins fragments of transcripts to utterances.
//!
//! The provider guarantees no order between the transcript of the person and the reply, and often does not
//! report the end of the person's speech. The transcript is taken as final when the model begins to reply;
//! fragments that come later are final at the end of the model's turn.

use aileron_contract::transport::{Effects, ProviderEvent, Speaker, TranscriptStage};

use crate::spoken_words::SpokenWords;

/// Maximum number of bytes of a joined transcript; more are passed on as fragments only.
const MAX_BYTES: usize = 64 * 1024;

/// The transcripts that are not final.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Transcripts {
    person: String,
    model: SpokenWords,
    answering: bool,
    /// Whether the transcript that began the turn is known.
    known: bool,
    /// Whether the model was sent a text that it has not begun to answer.
    written: bool,
}

impl Transcripts {
    /// A fragment of a transcript.
    pub(super) fn heard(&mut self, by: Speaker, text: &str, effects: &mut Effects) {
        if text.is_empty() {
            return;
        }
        match by {
            Speaker::Model => self.model.push(text),
            Speaker::Person if self.person.len() + text.len() <= MAX_BYTES => {
                self.person.push_str(text);
            }
            Speaker::Person => {}
        }
        effects.tell(ProviderEvent::Transcript {
            by,
            text: text.to_owned(),
            stage: TranscriptStage::Delta,
        });
    }

    /// A transcript is final. Emits nothing if it is empty.
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

    /// The model is to answer a text, so no transcript is expected.
    pub(super) fn written(&mut self) {
        self.written = true;
    }

    /// Whether the transcript that began the turn is known.
    pub(super) fn knows_person(&self) -> bool {
        self.known
    }

    /// Whether the model is replying, or is about to.
    pub(super) fn reply_is_due(&self) -> bool {
        self.answering || self.known || self.written
    }

    /// Whether both transcripts are empty.
    pub(super) fn is_idle(&self) -> bool {
        !self.reply_is_due() && self.person.is_empty()
    }

    /// The model speaks or calls.
    pub(super) fn answering(&mut self, effects: &mut Effects) {
        if !self.answering {
            self.answering = true;
            self.known |= std::mem::take(&mut self.written);
            self.finished(Speaker::Person, effects);
        }
    }

    /// The model was interrupted. The transcript of the person continues.
    pub(super) fn interrupted(&mut self, effects: &mut Effects) {
        (self.answering, self.known) = (false, false);
        self.finished(Speaker::Model, effects);
    }

    /// The rest of the model's utterance is ignored, of which this much was played.
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

    /// The model's turn ended without interruption.
    pub(super) fn turn_ended(&mut self, effects: &mut Effects) {
        self.finished(Speaker::Person, effects);
        self.finished(Speaker::Model, effects);
        (self.answering, self.known) = (false, false);
    }
}
