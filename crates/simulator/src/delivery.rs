//! What the model does, cut into pieces that are sent one after another, so that
//! it can be interrupted between them.

use std::collections::VecDeque;
use std::time::Duration;

use crate::brain::{Asked, Step};
use crate::live::Pace;

/// One piece.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    Thought(String),
    /// A word, and the space before it if it is not the first.
    Word(String),
    Calls(Vec<Asked>),
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

/// The pieces that are still to be sent.
#[derive(Debug, Default)]
pub(crate) struct Delivery {
    pieces: VecDeque<Piece>,
    /// How long what was sent last is heard.
    sounding: Duration,
    late_end: Duration,
    held: bool,
}

impl Delivery {
    /// The end of a turn comes this much late.
    pub(crate) fn with_late_end(late_end: Duration) -> Self {
        Self { late_end, ..Self::default() }
    }

    /// Takes what the model does. It waits for the results of its first calls.
    pub(crate) fn load(&mut self, steps: Vec<Step>, after: AfterCalls) {
        self.sounding = Duration::ZERO;
        let mut first = true;
        for step in steps {
            match step {
                Step::Think(text) => self.pieces.push_back(Piece::Thought(text)),
                Step::Say(text) => {
                    for word in text.split_whitespace() {
                        let space = if first { "" } else { " " };
                        first = false;
                        self.pieces.push_back(Piece::Word(format!("{space}{word}")));
                    }
                }
                Step::Call(calls) => {
                    self.pieces.push_back(Piece::Calls(calls));
                    return match after {
                        AfterCalls::Wait => {}
                        AfterCalls::End => self.end(),
                    };
                }
            }
        }
        self.end();
    }

    /// The turn ends after what is there.
    pub(crate) fn end(&mut self) {
        self.pieces.extend([Piece::Generated, Piece::End]);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.pieces.clear();
    }

    /// Holds the ends of turns back, or lets them go.
    pub(crate) fn hold_end(&mut self, held: bool) {
        self.held = held;
    }

    /// How long to wait for the next piece; nothing if there is none to be sent.
    pub(crate) fn next_in(&self, pace: Pace) -> Option<Duration> {
        let sounding = match pace {
            Pace::Fast => Duration::ZERO,
            Pace::RealTime => self.sounding,
        };
        match self.pieces.front()? {
            Piece::End if self.held => None,
            Piece::End => Some(sounding + self.late_end),
            _ => Some(sounding),
        }
    }

    pub(crate) fn next(&mut self) -> Option<Piece> {
        self.sounding = Duration::ZERO;
        self.pieces.pop_front()
    }

    /// Says how long the piece that was sent is heard.
    pub(crate) fn sounds_for(&mut self, ms: u64) {
        self.sounding = Duration::from_millis(ms);
    }
}

#[cfg(test)]
#[path = "delivery_tests.rs"]
mod tests;
