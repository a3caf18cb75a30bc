//! Splits the model's actions into chunks that are sent one after another, so that it can be
//! interrupted between them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::live::SpeechPace;
use crate::simulated_model::{ModelAction, PlannedCall};
use crate::speech::{SpokenPiece, Synthesizer};

/// One piece.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum OutputChunk {
    Thought(String),
    /// A part of a sentence, and the space before it if it is not the first.
    Spoken(SpokenPiece),
    Calls(Vec<PlannedCall>),
    /// A turn is over, and another turn of the same reply follows.
    Between,
    /// The reply is complete.
    Generated,
    /// The turn is over.
    End,
}

/// The effect of a message with calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterCalls {
    /// The turn stays open until they are answered.
    Wait,
    End,
}

/// An item that waits to be sent.
#[derive(Debug)]
enum QueuedOutput {
    /// A sentence that is not synthesised yet.
    Sentence(String),
    Piece(OutputChunk),
}

/// The messages that are withheld.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum HoldBack {
    #[default]
    Nothing,
    /// The end of the turn.
    TurnEnd,
    /// Also the message that the reply is complete.
    Generated,
}

/// The chunks that are still to be sent.
#[derive(Debug)]
pub(crate) struct Delivery {
    voice: Arc<dyn Synthesizer>,
    waiting: VecDeque<QueuedOutput>,
    /// Whether the model has spoken in this turn.
    has_spoken: bool,
    /// The duration of the last chunk.
    sounding: Duration,
    late_end: Duration,
    /// Whether each sentence is a separate turn.
    several: bool,
    hold: HoldBack,
}

impl Delivery {
    /// Speaks with this voice, and delays the end of each turn.
    pub(crate) fn new(voice: Arc<dyn Synthesizer>, late_end: Duration) -> Self {
        Self {
            voice,
            waiting: VecDeque::new(),
            has_spoken: false,
            sounding: Duration::ZERO,
            late_end,
            several: false,
            hold: HoldBack::Nothing,
        }
    }

    /// Makes each sentence a separate turn.
    pub(crate) fn in_several_turns(mut self) -> Self {
        self.several = true;
        self
    }

    /// Queues the model's actions up to the first calls, whose results it awaits.
    pub(crate) fn load(&mut self, steps: Vec<ModelAction>, after: AfterCalls) {
        self.sounding = Duration::ZERO;
        self.has_spoken = false;
        for step in steps {
            match step {
                ModelAction::Think(text) => self.put(OutputChunk::Thought(text)),
                ModelAction::Say(text) => {
                    sentences(&text).for_each(|sentence| self.put_sentence(sentence));
                }
                ModelAction::Call(calls) => {
                    self.put(OutputChunk::Calls(calls));
                    return match after {
                        AfterCalls::Wait => {}
                        AfterCalls::End => self.end(),
                    };
                }
            }
        }
        self.end();
    }

    fn put_sentence(&mut self, sentence: String) {
        if self.several && matches!(self.waiting.back(), Some(QueuedOutput::Sentence(_))) {
            self.put(OutputChunk::Between);
        }
        self.waiting.push_back(QueuedOutput::Sentence(sentence));
    }

    fn put(&mut self, piece: OutputChunk) {
        self.waiting.push_back(QueuedOutput::Piece(piece));
    }

    /// Ends the turn after the queued items.
    pub(crate) fn end(&mut self) {
        self.put(OutputChunk::Generated);
        self.put(OutputChunk::End);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Withholds or releases the ends of turns.
    pub(crate) fn hold(&mut self, hold: HoldBack) {
        self.hold = hold;
    }

    /// How long to wait for the next piece; `None` if there is none.
    pub(crate) fn next_in(&self, pace: SpeechPace) -> Option<Duration> {
        let sounding = match pace {
            SpeechPace::Fast => Duration::ZERO,
            SpeechPace::RealTime => self.sounding,
        };
        match self.waiting.front()? {
            QueuedOutput::Piece(OutputChunk::End) if self.hold != HoldBack::Nothing => None,
            QueuedOutput::Piece(OutputChunk::Generated) if self.hold == HoldBack::Generated => None,
            QueuedOutput::Piece(OutputChunk::End) => Some(sounding + self.late_end),
            _ => Some(sounding),
        }
    }

    pub(crate) fn next(&mut self) -> Option<OutputChunk> {
        self.sounding = Duration::ZERO;
        loop {
            match self.waiting.pop_front()? {
                QueuedOutput::Piece(piece) => return Some(piece),
                QueuedOutput::Sentence(sentence) => self.speak(&sentence),
            }
        }
    }

    /// Replaces a sentence by its chunks.
    fn speak(&mut self, sentence: &str) {
        let mut pieces = self.voice.speak(sentence);
        for piece in &mut pieces {
            if std::mem::replace(&mut self.has_spoken, true) {
                piece.text.insert(0, ' ');
            }
        }
        for piece in pieces.into_iter().rev() {
            self.waiting.push_front(QueuedOutput::Piece(OutputChunk::Spoken(piece)));
        }
    }

    /// Sets the duration of the chunk that was sent.
    pub(crate) fn sounds_for(&mut self, ms: u64) {
        self.sounding = Duration::from_millis(ms);
    }
}

/// The sentences of a text; the voice synthesises one at a time.
fn sentences(text: &str) -> impl Iterator<Item = String> + '_ {
    let ends = |c: char| ".!?…".contains(c);
    text.split_inclusive(|c: char| c.is_whitespace())
        .fold(Vec::<String>::new(), move |mut sentences, word| {
            match sentences.last_mut().filter(|last| !last.trim_end().ends_with(ends)) {
                Some(open) => open.push_str(word),
                None => sentences.push(word.to_owned()),
            }
            sentences
        })
        .into_iter()
        .filter(|sentence| !sentence.trim().is_empty())
}

#[cfg(test)]
#[path = "delivery_tests.rs"]
mod tests;
