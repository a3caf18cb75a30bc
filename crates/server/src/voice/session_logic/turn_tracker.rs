//! Who has the floor, and which of the person's words began which turn.
//!
//! A turn begins with what the person did, but the words of it may come late: one provider puts them
//! out beside its reply, another without any order at all. So:
//!
//! 1. Words that come while the person has the floor begin a turn.
//! 2. A model that acts on an utterance before its words are there begins the turn without them. The
//!    words, when they come, are heard in that turn: they count no budget anew, and as begun when the
//!    utterance did, so that no question put meanwhile is answered by the words that led to it.
//! 3. What the model does because we told it something (a late result) begins no turn, and neither does
//!    what it does in a session in which nothing came from the person.
//!
//! An utterance began when the provider said so; where it does not, when the model fell silent.
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

/// How long after the model's turn the words of the utterance before it may still come.
const LATEST_WORDS_MS: u64 = 3000;

/// The most utterances whose words are waited for.
const MOST: usize = 8;

/// What becomes of words, or of an act of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TurnAssignment {
    /// The person's words begin a turn.
    Begins { began_ms: u64 },
    /// The person did something of which we have no words yet.
    BeginsWithoutWords,
    /// The words belong to a turn that has begun.
    GoesOn { began_ms: u64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FloorHolder {
    Person,
    Model,
}

/// An utterance whose words are not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PendingUtterance {
    began_ms: u64,
    /// Whether the model has acted on it.
    acted_on: bool,
    /// From when on its words are not waited for any more.
    until: Option<u64>,
}

#[derive(Debug, Clone)]
pub(crate) struct TurnTracker {
    holder: FloorHolder,
    /// Since when the person has the floor, or had it last.
    since: u64,
    /// Whether a turn began since then.
    begun: bool,
    /// Whether the model was told something it is going to speak of.
    prompted: bool,
    /// Whether anything came from the person: a model that begins by itself is on nobody's turn.
    person_was_there: bool,
    /// Whether the person's writing is about to cut the model short.
    cut_by_writing: bool,
    /// Whether the person's click cut a reply short whose turn is not over.
    cut_by_click: bool,
    unheard: VecDeque<PendingUtterance>,
}

impl TurnTracker {
    pub(crate) fn new(now: u64) -> Self {
        Self {
            holder: FloorHolder::Person,
            since: now,
            begun: false,
            prompted: false,
            person_was_there: false,
            cut_by_writing: false,
            cut_by_click: false,
            unheard: VecDeque::new(),
        }
    }

    pub(crate) fn model_is_speaking(&self) -> bool {
        self.holder == FloorHolder::Model
    }

    /// Something came from the person, be it silence.
    pub(crate) fn person_is_there(&mut self) {
        self.person_was_there = true;
    }

    /// The provider says that the person began to speak.
    pub(crate) fn speech_started(&mut self, now: u64) {
        self.unheard.retain(|one| one.until.is_none());
        if self.unheard.len() == MOST {
            self.unheard.pop_front();
        }
        self.unheard.push_back(PendingUtterance { began_ms: now, acted_on: false, until: None });
        self.person_is_there();
        self.take(now);
    }

    /// The model was cut short. By what the person wrote: that turn has begun already.
    pub(crate) fn cut_short(&mut self, now: u64) {
        if std::mem::take(&mut self.cut_by_writing) {
            self.holder = FloorHolder::Person;
        } else if self.model_is_speaking() {
            self.take(now);
        }
    }

    /// The person does not want to hear more. What the model still does is of the same turn.
    pub(crate) fn interrupted_by_click(&mut self, now: u64) {
        if self.model_is_speaking() {
            (self.holder, self.since, self.cut_by_click) = (FloorHolder::Person, now, true);
        }
    }

    /// The model has finished its turn.
    pub(crate) fn model_finished(&mut self, now: u64) {
        for one in self.unheard.iter_mut().filter(|one| one.acted_on) {
            one.until = one.until.or(Some(now + LATEST_WORDS_MS));
        }
        if self.model_is_speaking() || self.cut_by_click {
            self.cut_by_writing = false;
            self.take(now);
        }
    }

    fn take(&mut self, now: u64) {
        (self.holder, self.cut_by_click) = (FloorHolder::Person, false);
        self.since = now;
        self.begun = false;
    }

    /// The person wrote or clicked: a turn begins.
    pub(crate) fn on_text(&mut self, now: u64) {
        self.cut_by_writing = self.model_is_speaking();
        self.take(now);
        self.person_is_there();
        self.begun = true;
        self.prompted = false;
    }

    /// The model was told something that is not the person's.
    pub(crate) fn model_was_given_input(&mut self) {
        self.prompted = true;
    }

    /// The connection is gone, and words that were under way with it. A model in the middle of a turn
    /// goes on with it over the next one, where it is told again what it was asked.
    pub(crate) fn connection_lost(&mut self, now: u64) {
        self.unheard.clear();
        if self.model_is_speaking() || self.begun {
            self.prompted = true;
        }
        self.cut_by_writing = false;
        self.cut_short(now);
    }

    /// The model says or calls something.
    pub(crate) fn model_acts(&mut self) -> Option<TurnAssignment> {
        if self.model_is_speaking() {
            return None;
        }
        self.holder = FloorHolder::Model;
        let spoken_to = self.unheard.iter().any(|one| !one.acted_on);
        let told_by_us = std::mem::take(&mut self.prompted) && !spoken_to;
        if !self.person_was_there || told_by_us || (self.begun && !spoken_to) {
            return None;
        }
        if !spoken_to {
            self.unheard.push_back(PendingUtterance {
                began_ms: self.since,
                acted_on: true,
                until: None,
            });
        }
        self.unheard.iter_mut().for_each(|one| one.acted_on = true);
        self.begun = true;
        Some(TurnAssignment::BeginsWithoutWords)
    }

    /// The words of an utterance are there.
    pub(crate) fn words(&mut self, now: u64) -> TurnAssignment {
        self.unheard.retain(|one| one.until.is_none_or(|until| now < until));
        if let Some(late) = self.unheard.pop_front_if(|one| one.acted_on) {
            return goes_on(late.began_ms);
        }
        if self.model_is_speaking() && self.begun {
            return goes_on(self.since);
        }
        let began_ms = self.unheard.front().map_or(self.since, |one| one.began_ms);
        self.unheard.clear();
        self.person_is_there();
        self.begun = true;
        self.prompted = false;
        if !self.model_is_speaking() {
            self.since = now;
        }
        TurnAssignment::Begins { began_ms }
    }
}

/// The model has acted on the utterance, so that it was before whatever the model did, even if the
/// clock shows the same for both.
fn goes_on(began_ms: u64) -> TurnAssignment {
    TurnAssignment::GoesOn { began_ms: began_ms.saturating_sub(1) }
}

#[cfg(test)]
#[path = "turn_tracker_tests.rs"]
mod tests;
