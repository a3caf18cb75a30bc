//! Judging: what the policies say of the calls of one message, taken together. `admit` acts on it,
//! `dry_run` tells of it.

use std::collections::HashMap;

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_store::{CallContent, Commit, Counted, Known};

use crate::candidate::{CandidateCall, Duplicate};
use crate::conversation::ConversationCore;
use crate::history::{CallEnd, HistoryIndex};
use crate::policy::{self, BatchCounts, Finality, Passage};
use crate::policy_state::PolicyState;

/// What was said of a call.
pub(crate) enum Judged {
    Pass(CandidateCall, Reservation),
    /// The person is asked; about one call of a message at most.
    Ask(CandidateCall, Reservation),
    /// It waits while the person is asked about another call of the message.
    Held(CandidateCall, Reservation),
    Refused {
        candidate: CandidateCall,
        by: &'static str,
        failure: Box<Failure>,
        finality: Finality,
    },
    /// The same call was made before.
    Known(CandidateCall, Known),
    /// The same call stands earlier in this message, at this place.
    Twin(CandidateCall, usize),
    /// Another call asked for the same.
    Repeat(CandidateCall, Duplicate),
}

/// What a call that was let through has taken up.
#[derive(Debug)]
pub(crate) struct Reservation {
    pub(crate) place: HistoryIndex,
    /// Answers when the call is counted, if its tool has a rate limit. It does not run before, and is
    /// not counted while it waits for the person.
    pub(crate) counted: Option<Box<Commit<Counted>>>,
}

impl Judged {
    fn candidate(&self) -> &CandidateCall {
        match self {
            Self::Pass(candidate, _)
            | Self::Ask(candidate, _)
            | Self::Held(candidate, _)
            | Self::Refused { candidate, .. }
            | Self::Known(candidate, _)
            | Self::Twin(candidate, _)
            | Self::Repeat(candidate, _) => candidate,
        }
    }

    /// Whether the same under another id is answered from this one. What was refused is judged anew.
    fn answers_others(&self) -> bool {
        !matches!(self, Self::Refused { .. })
    }

    /// The call, waiting if it has to while the person is asked about another one.
    fn beside_a_question(self) -> Self {
        match self {
            Self::Ask(candidate, share) => Self::Held(candidate, share),
            Self::Pass(candidate, share) if candidate.call.writes() => Self::Held(candidate, share),
            other => other,
        }
    }
}

impl ConversationCore {
    /// Takes the calls of one message along all policies, in their order, and remembers them.
    pub(crate) fn judge_all(
        &self,
        candidates: Vec<CandidateCall>,
        memory: &mut PolicyState,
        counts: &BatchCounts,
        now: u64,
    ) -> Vec<Judged> {
        let mut places = HashMap::new();
        let mut judged: Vec<Judged> = Vec::with_capacity(candidates.len());
        for (at, mut candidate) in candidates.into_iter().enumerate() {
            candidate.find_key(memory);
            let mut first = *places.entry(candidate.call.key.clone()).or_insert(at);
            if let Some(other) =
                judged.get(first).and_then(|named| other_content(&candidate, named))
            {
                candidate.tell_apart(other);
                first = *places.entry(candidate.call.key.clone()).or_insert(at);
            }
            let same = judged.get(first).filter(|_| first != at);
            let is_new_id_of_same_call = |same: &Judged| {
                same.candidate().call.call_id != candidate.call.call_id
                    && memory.is_new_id_of_same_call(&candidate)
            };
            let one = match same {
                Some(same) if !is_new_id_of_same_call(same) => Judged::Twin(candidate, first),
                Some(same) if same.answers_others() => {
                    candidate.duplicate_of = Some(Duplicate::Earlier(first));
                    self.judge(candidate, memory, counts, now)
                }
                Some(_) | None => self.judge(candidate, memory, counts, now),
            };
            judged.push(one);
        }
        hold_back(judged)
    }

    fn judge(
        &self,
        mut candidate: CandidateCall,
        memory: &mut PolicyState,
        counts: &BatchCounts,
        now: u64,
    ) -> Judged {
        match policy::pass(&mut candidate, &mut self.context(memory, counts, now)) {
            Passage::Through => {
                let share = Reservation::take(&candidate, memory, counts);
                Judged::Pass(candidate, share)
            }
            Passage::Ask => {
                let share = Reservation::take(&candidate, memory, counts);
                Judged::Ask(candidate, share)
            }
            Passage::Known(known) => Judged::Known(candidate, known),
            Passage::Repeats(duplicate_of) => {
                memory.repeat(&candidate);
                Judged::Repeat(candidate, duplicate_of)
            }
            Passage::Refused { by, failure, finality } => {
                remember_refused(&candidate, (by, &failure), memory);
                Judged::Refused { candidate, by, failure, finality }
            }
        }
    }
}

impl Reservation {
    fn take(candidate: &CandidateCall, memory: &mut PolicyState, counts: &BatchCounts) -> Self {
        candidate.rate.iter().for_each(|counter| counts.add(counter));
        Self { place: memory.count(candidate), counted: None }
    }
}

/// The content of the call that has the id of this one in the same message, if it is another call.
fn other_content(candidate: &CandidateCall, named: &Judged) -> Option<CallContent> {
    if !candidate.has_provider_key() {
        return None;
    }
    Some(named.candidate().content()).filter(|content| *content != candidate.content())
}

/// While one write waits for the person, the other writes of the message wait with it.
fn hold_back(judged: Vec<Judged>) -> Vec<Judged> {
    let Some(asking) = judged.iter().position(|one| matches!(one, Judged::Ask(..))) else {
        return judged;
    };
    let hold = |(at, one): (usize, Judged)| match at == asking {
        true => one,
        false => one.beside_a_question(),
    };
    judged.into_iter().enumerate().map(hold).collect()
}

/// A refused call is not counted, unless the person stands in its way; one whose arguments do not
/// fit is remembered as a failure.
pub(crate) fn remember_refused(
    candidate: &CandidateCall,
    (by, failure): (&str, &Failure),
    memory: &mut PolicyState,
) {
    if policy::counts_refused(by) {
        let place = memory.count(candidate);
        memory.history.end(place, CallEnd::Well);
    } else if failure.kind == ErrorType::Validation {
        memory.history.push(candidate.what(), candidate.content_key(), CallEnd::unfit(failure));
    }
}
