//! Speech as an answer: the person's next utterance after the request. Pure: it decides the effects
//! of a new turn on the open confirmations.

use aileron_contract::Mode;

use super::state::{Confirmations, SpokenAnswer};
use crate::event::AnswerChannel;
use crate::turn::TurnInput;
use crate::yes_no::{Grammar, YesNo};

/// The effect of a new turn on the open confirmations.
#[derive(Debug)]
pub(crate) struct TurnStartEffects {
    /// The channel of the input.
    pub(crate) channel: AnswerChannel,
    /// Confirmations that have expired.
    pub(crate) expired: Vec<String>,
    pub(crate) spoken: Option<SpokenIntent>,
}

/// The meaning of the person's words for an open confirmation.
#[derive(Debug)]
pub(crate) enum SpokenIntent {
    Answer {
        id: String,
        approve: bool,
    },
    /// They retracted these confirmations.
    Retracted {
        ids: Vec<String>,
    },
    Unclear {
        preview: String,
    },
}

impl TurnStartEffects {
    pub(crate) fn is_empty(&self) -> bool {
        self.expired.is_empty() && self.spoken.is_none()
    }
}

/// The facts by which the person's words are interpreted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listener<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) mode: Mode,
    pub(crate) turn: u64,
    pub(crate) now: u64,
}

impl Listener<'_> {
    /// Finds confirmations that an input answers, and those that have expired.
    pub(crate) fn hear(
        &self,
        confirmations: &mut Confirmations,
        input: &TurnInput,
    ) -> TurnStartEffects {
        let now = self.now;
        let expired = confirmations.expired(now);
        let spoken = match input {
            TurnInput::Spoken { text, began_ms } if self.mode == Mode::Voice => {
                let answer = self.answer(confirmations, text, *began_ms);
                answer.or_else(|| self.retracted(confirmations, text, *began_ms))
            }
            TurnInput::Spoken { text, began_ms } => self.retracted(confirmations, text, *began_ms),
            TurnInput::Typed { text } => self.retracted(confirmations, text, now),
            TurnInput::Written => None,
        };
        let channel = match input {
            TurnInput::Spoken { .. } => AnswerChannel::Speech,
            TurnInput::Typed { .. } | TurnInput::Written => AnswerChannel::Text,
        };
        TurnStartEffects { channel, expired, spoken }
    }

    /// The confirmations requested before these words that the words retract.
    fn retracted(
        &self,
        confirmations: &Confirmations,
        text: &str,
        said: u64,
    ) -> Option<SpokenIntent> {
        let retraction = self.grammar.retracts(text)?;
        let ids = confirmations.retracted(retraction, self.turn, (said, self.now));
        (!ids.is_empty()).then_some(SpokenIntent::Retracted { ids })
    }

    /// Only an utterance that began after the confirmation was requested answers it.
    fn answer(
        &self,
        confirmations: &mut Confirmations,
        text: &str,
        began_ms: u64,
    ) -> Option<SpokenIntent> {
        let confirmation = confirmations.listening(self.now)?;
        if began_ms < confirmation.asked_ms {
            return None;
        }
        let answer = |approve| Some(SpokenIntent::Answer { id: confirmation.id.clone(), approve });
        match (self.grammar.hear(text), confirmation.spoken_answer) {
            (YesNo::Yes, _) => answer(true),
            (YesNo::No, _) => answer(false),
            // A retraction needs no other answer.
            (YesNo::Unclear, _) if self.grammar.retracts(text).is_some() => None,
            (YesNo::Unclear, SpokenAnswer::Accepted) => {
                confirmation.spoken_answer = SpokenAnswer::LastChance;
                Some(SpokenIntent::Unclear { preview: confirmation.preview.clone() })
            }
            (YesNo::Unclear, SpokenAnswer::LastChance | SpokenAnswer::ClickOnly) => {
                confirmation.spoken_answer = SpokenAnswer::ClickOnly;
                None
            }
        }
    }
}
