//! Judging: what the policies say of the calls of one message, taken together. `admit` acts on it,
//! `dry_run` tells of it.

use std::collections::HashMap;

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_store::{CallContent, Commit, Counted, Known};

use crate::conversation::{Memory, Shared};
use crate::draft::{Draft, Twin};
use crate::history::{Ended, Place};
use crate::policy::{self, Finality, Passage, Tally};

/// What was said of a call.
pub(crate) enum Judged {
    Pass(Draft, Share),
    /// The person is asked; about one call of a message at most.
    Ask(Draft, Share),
    /// It waits while the person is asked about another call of the message.
    Held(Draft, Share),
    Refused {
        draft: Draft,
        by: &'static str,
        failure: Box<Failure>,
        finality: Finality,
    },
    /// The same call was made before.
    Known(Draft, Known),
    /// The same call stands earlier in this message, at this place.
    Twin(Draft, usize),
    /// Another call asked for the same.
    Repeat(Draft, Twin),
}

/// What a call that was let through has taken up.
#[derive(Debug)]
pub(crate) struct Share {
    pub(crate) place: Place,
    /// Answers when the call is counted, if its tool has a rate limit. It does not run before, and is
    /// not counted while it waits for the person.
    pub(crate) counted: Option<Box<Commit<Counted>>>,
}

impl Judged {
    fn draft(&self) -> &Draft {
        match self {
            Self::Pass(draft, _)
            | Self::Ask(draft, _)
            | Self::Held(draft, _)
            | Self::Refused { draft, .. }
            | Self::Known(draft, _)
            | Self::Twin(draft, _)
            | Self::Repeat(draft, _) => draft,
        }
    }

    /// Whether the same under another id is answered from this one. What was refused is judged anew.
    fn answers_others(&self) -> bool {
        !matches!(self, Self::Refused { .. })
    }

    /// The call, waiting if it has to while the person is asked about another one.
    fn beside_a_question(self) -> Self {
        match self {
            Self::Ask(draft, share) => Self::Held(draft, share),
            Self::Pass(draft, share) if draft.call.writes() => Self::Held(draft, share),
            other => other,
        }
    }
}

impl Shared {
    /// Takes the calls of one message along all policies, in their order, and remembers them.
    pub(crate) fn judge_all(
        &self,
        drafts: Vec<Draft>,
        memory: &mut Memory,
        tally: &Tally,
        now: u64,
    ) -> Vec<Judged> {
        let mut places = HashMap::new();
        let mut judged: Vec<Judged> = Vec::with_capacity(drafts.len());
        for (at, mut draft) in drafts.into_iter().enumerate() {
            draft.find_key(memory);
            let mut first = *places.entry(draft.call.key.clone()).or_insert(at);
            if let Some(other) = judged.get(first).and_then(|named| other_content(&draft, named)) {
                draft.tell_apart(other);
                first = *places.entry(draft.call.key.clone()).or_insert(at);
            }
            let same = judged.get(first).filter(|_| first != at);
            let is_another = |same: &Judged| {
                same.draft().call.call_id != draft.call.call_id && memory.is_another(&draft)
            };
            let one = match same {
                Some(same) if !is_another(same) => Judged::Twin(draft, first),
                Some(same) if same.answers_others() => {
                    draft.twin = Some(Twin::Earlier(first));
                    self.judge(draft, memory, tally, now)
                }
                Some(_) | None => self.judge(draft, memory, tally, now),
            };
            judged.push(one);
        }
        hold_back(judged)
    }

    fn judge(&self, mut draft: Draft, memory: &mut Memory, tally: &Tally, now: u64) -> Judged {
        match policy::pass(&mut draft, &mut self.desk(memory, tally, now)) {
            Passage::Through => {
                let share = Share::take(&draft, memory, tally);
                Judged::Pass(draft, share)
            }
            Passage::Ask => {
                let share = Share::take(&draft, memory, tally);
                Judged::Ask(draft, share)
            }
            Passage::Known(known) => Judged::Known(draft, known),
            Passage::Repeats(twin) => {
                memory.repeat(&draft);
                Judged::Repeat(draft, twin)
            }
            Passage::Refused { by, failure, finality } => {
                remember_refused(&draft, (by, &failure), memory);
                Judged::Refused { draft, by, failure, finality }
            }
        }
    }
}

impl Share {
    fn take(draft: &Draft, memory: &mut Memory, tally: &Tally) -> Self {
        draft.rate.iter().for_each(|counter| tally.add(counter));
        Self { place: memory.count(draft), counted: None }
    }
}

/// The content of the call that has the id of this one in the same message, if it is another call.
fn other_content(draft: &Draft, named: &Judged) -> Option<CallContent> {
    if !draft.is_named() {
        return None;
    }
    Some(named.draft().content()).filter(|content| *content != draft.content())
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
    draft: &Draft,
    (by, failure): (&str, &Failure),
    memory: &mut Memory,
) {
    if policy::counts_refused(by) {
        let place = memory.count(draft);
        memory.history.end(place, Ended::Well);
    } else if failure.kind == ErrorType::Validation {
        memory.history.push(draft.what(), draft.nameless(), Ended::unfit(failure));
    }
}
