//! What the model does, cut into pieces that are sent one after another, so that
//! it can be interrupted between them.

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
    /// A turn is over and there is more to be said.
    Between,
    /// Nothing more is said.
    Generated,
    /// The turn is over.
    End,
}

/// What a message with calls leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterCalls {
    /// The turn stays open until they are answered.
    Wait,
    End,
}

/// What waits to be sent.
#[derive(Debug)]
enum QueuedOutput {
    /// A sentence that is not spoken yet: it may never be.
    Sentence(String),
    Piece(OutputChunk),
}

/// What is held back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum HoldBack {
    #[default]
    Nothing,
    /// The end of the turn.
    TurnEnd,
    /// That nothing more is said, too.
    Generated,
}

/// The pieces that are still to be sent.
#[derive(Debug)]
pub(crate) struct Delivery {
    voice: Arc<dyn Synthesizer>,
    waiting: VecDeque<QueuedOutput>,
    /// Whether something was said in this turn.
    has_spoken: bool,
    /// How long what was sent last is heard.
    sounding: Duration,
    late_end: Duration,
    /// Whether each sentence is a turn of its own.
    several: bool,
    hold: HoldBack,
}

impl Delivery {
    /// What is said is said with this voice, and the end of a turn comes this much late.
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

    /// Each sentence is to be a turn of its own.
    pub(crate) fn in_several_turns(mut self) -> Self {
        self.several = true;
        self
    }

    /// Takes what the model does. It waits for the results of its first calls.
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

    /// The turn ends after what is there.
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

    /// Holds the ends of turns back, or lets them go.
    pub(crate) fn hold(&mut self, hold: HoldBack) {
        self.hold = hold;
    }

    /// How long to wait for the next piece; nothing if there is none to be sent.
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

    /// Puts the pieces of a sentence in its place.
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

    /// Says how long the piece that was sent is heard.
    pub(crate) fn sounds_for(&mut self, ms: u64) {
        self.sounding = Duration::from_millis(ms);
    }
}

/// The sentences of a text; a voice is given one at a time.
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
