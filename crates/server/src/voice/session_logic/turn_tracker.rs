//! Tracks whether the person or the model has the floor, and assigns transcripts of the person to turns.
//!
//! A turn begins with an input of the person, but its transcript may come late: one provider sends it beside
//! the reply, another in no order at all. So:
//!
//! 1. A transcript that comes while the person has the floor begins a turn.
//! 2. A model that acts on an utterance before its transcript begins the turn without it. The transcript is
//!    added to that turn later: it counts no budget again, and is dated to the start of the utterance, so that
//!    it cannot answer a confirmation that was requested because of it.
//! 3. Output of the model that we prompted (by a late result) begins no turn, and neither does output in a
//!    session without any input of the person.
//!
//! An utterance begins when the provider reports it, or else when the model stopped speaking.
//!
//! ```text
//!             the model speaks or calls; begins the turn if no transcript or text has
//!   +--------+ --------------------------------------------------> +-------+
//!   | person |                                                     | model |
//!   +--------+ <-------------------------------------------------- +-------+
//!    |      ^   turn complete, barge-in (speech, text, click),
//!    |      |   or the connection is lost
//!    +------+
//!    a transcript or a text begins a turn
//!
//!   late transcript (the model has acted on the utterance): added to the turn that has begun
//! ```

use std::collections::VecDeque;

/// How long after the model's turn the transcript of the utterance before it may still come.
const LATE_TRANSCRIPT_MS: u64 = 3000;

/// Maximum number of utterances without a transcript.
const MAX_PENDING: usize = 8;

/// The turn that a transcript, or an act of the model, belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TurnAssignment {
    /// The transcript begins a turn.
    Begins { began_ms: u64 },
    /// The model acts on an utterance without a transcript, which begins a turn.
    BeginsWithoutWords,
    /// The transcript belongs to a turn that has begun.
    GoesOn { began_ms: u64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FloorHolder {
    Person,
    Model,
}

/// An utterance without a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PendingUtterance {
    began_ms: u64,
    /// Whether the model has acted on it.
    acted_on: bool,
    /// When its transcript is no longer expected.
    until: Option<u64>,
}

#[derive(Debug, Clone)]
pub(crate) struct TurnTracker {
    holder: FloorHolder,
    /// Since when the person has the floor, or last had it.
    since: u64,
    /// Whether a turn began since then.
    begun: bool,
    /// Whether the model was given an input of ours that it will speak about.
    prompted: bool,
    /// Whether any input came from the person: without one, output of the model belongs to no turn.
    had_person_input: bool,
    /// Whether a text of the person is about to interrupt the model.
    interrupted_by_text: bool,
    /// Whether a click interrupted a reply whose turn is not over.
    interrupted_by_click: bool,
    pending: VecDeque<PendingUtterance>,
}

impl TurnTracker {
    pub(crate) fn new(now: u64) -> Self {
        Self {
            holder: FloorHolder::Person,
            since: now,
            begun: false,
            prompted: false,
            had_person_input: false,
            interrupted_by_text: false,
            interrupted_by_click: false,
            pending: VecDeque::new(),
        }
    }

    pub(crate) fn model_is_speaking(&self) -> bool {
        self.holder == FloorHolder::Model
    }

    /// Any input came from the person, even silence.
    pub(crate) fn on_person_input(&mut self) {
        self.had_person_input = true;
    }

    /// The provider reports that the person began to speak.
    pub(crate) fn on_speech_started(&mut self, now: u64) {
        self.pending.retain(|one| one.until.is_none());
        if self.pending.len() == MAX_PENDING {
            self.pending.pop_front();
        }
        self.pending.push_back(PendingUtterance { began_ms: now, acted_on: false, until: None });
        self.on_person_input();
        self.give_floor_to_person(now);
    }

    /// The model was interrupted. If by a text, the turn of that text has begun already.
    pub(crate) fn on_interrupted(&mut self, now: u64) {
        if std::mem::take(&mut self.interrupted_by_text) {
            self.holder = FloorHolder::Person;
        } else if self.model_is_speaking() {
            self.give_floor_to_person(now);
        }
    }

    /// The person interrupted by a click. Further output of the model belongs to the same turn.
    pub(crate) fn on_interrupt_click(&mut self, now: u64) {
        if self.model_is_speaking() {
            (self.holder, self.since, self.interrupted_by_click) = (FloorHolder::Person, now, true);
        }
    }

    /// The model has finished its turn.
    pub(crate) fn on_model_finished(&mut self, now: u64) {
        for one in self.pending.iter_mut().filter(|one| one.acted_on) {
            one.until = one.until.or(Some(now + LATE_TRANSCRIPT_MS));
        }
        if self.model_is_speaking() || self.interrupted_by_click {
            self.interrupted_by_text = false;
            self.give_floor_to_person(now);
        }
    }

    fn give_floor_to_person(&mut self, now: u64) {
        (self.holder, self.interrupted_by_click) = (FloorHolder::Person, false);
        self.since = now;
        self.begun = false;
    }

    /// The person sent a text, which begins a turn.
    pub(crate) fn on_text(&mut self, now: u64) {
        self.interrupted_by_text = self.model_is_speaking();
        self.give_floor_to_person(now);
        self.on_person_input();
        self.begun = true;
        self.prompted = false;
    }

    /// The model was given an input that is not the person's.
    pub(crate) fn on_own_input(&mut self) {
        self.prompted = true;
    }

    /// The connection is lost, and with it the transcripts that were expected. A model in the middle of a turn
    /// continues it over the next connection, where its input is sent again.
    pub(crate) fn on_connection_lost(&mut self, now: u64) {
        self.pending.clear();
        if self.model_is_speaking() || self.begun {
            self.prompted = true;
        }
        self.interrupted_by_text = false;
        self.on_interrupted(now);
    }

    /// The model speaks or calls.
    pub(crate) fn on_model_acts(&mut self) -> Option<TurnAssignment> {
        if self.model_is_speaking() {
            return None;
        }
        self.holder = FloorHolder::Model;
        let spoken_to = self.pending.iter().any(|one| !one.acted_on);
        let was_prompted_by_us = std::mem::take(&mut self.prompted) && !spoken_to;
        if !self.had_person_input || was_prompted_by_us || (self.begun && !spoken_to) {
            return None;
        }
        if !spoken_to {
            self.pending.push_back(PendingUtterance {
                began_ms: self.since,
                acted_on: true,
                until: None,
            });
        }
        self.pending.iter_mut().for_each(|one| one.acted_on = true);
        self.begun = true;
        Some(TurnAssignment::BeginsWithoutWords)
    }

    /// A final transcript of the person came.
    pub(crate) fn on_transcript(&mut self, now: u64) -> TurnAssignment {
        self.pending.retain(|one| one.until.is_none_or(|until| now < until));
        if let Some(late) = self.pending.pop_front_if(|one| one.acted_on) {
            return goes_on(late.began_ms);
        }
        if self.model_is_speaking() && self.begun {
            return goes_on(self.since);
        }
        let began_ms = self.pending.front().map_or(self.since, |one| one.began_ms);
        self.pending.clear();
        self.on_person_input();
        self.begun = true;
        self.prompted = false;
        if !self.model_is_speaking() {
            self.since = now;
        }
        TurnAssignment::Begins { began_ms }
    }
}

/// The model has acted on the utterance, so the utterance is dated before that act, even if both have the same
/// clock reading.
fn goes_on(began_ms: u64) -> TurnAssignment {
    TurnAssignment::GoesOn { began_ms: began_ms.saturating_sub(1) }
}

#[cfg(test)]
#[path = "turn_tracker_tests.rs"]
mod tests;
