//! Speech as an answer: the person's next utterance, and nobody else's words.

use std::sync::Arc;

use aileron_contract::{Mode, ToolCall};
use aileron_store::StoreError;

use super::{ConfirmError, Resolution};
use crate::conversation::{ConversationCore, TurnInput};
use crate::event::{ConfirmationOutcome, ConversationEvent};
use crate::policy_state::PolicyState;
use crate::question::SpokenAnswer;
use crate::yes_no::YesNo;

/// What a turn's beginning means for the questions that wait.
#[derive(Debug, Default)]
pub(crate) struct TurnStartEffects {
    /// Confirmations whose time is over.
    expired: Vec<String>,
    words: Option<Words>,
}

/// What the person's words say about the question that waits for them.
#[derive(Debug)]
enum Words {
    Answer {
        id: String,
        approve: bool,
    },
    /// They changed their mind about these.
    Retracted {
        ids: Vec<String>,
    },
    Unclear {
        preview: String,
    },
}

impl TurnStartEffects {
    /// Whether nothing is to be done about it.
    pub(crate) fn is_nothing(&self) -> bool {
        self.expired.is_empty() && self.words.is_none()
    }
}

impl ConversationCore {
    /// Looks for questions that the beginning of a turn answers or that nobody answered in time.
    pub(crate) fn hear(&self, memory: &mut PolicyState, input: &TurnInput) -> TurnStartEffects {
        let now = self.now();
        let expired = memory.questions.expired(now);
        let words = match input {
            TurnInput::Spoken { text, began_ms } if memory.mode() == Mode::Voice => {
                let heard = self.listen(memory, text, *began_ms, now);
                heard.or_else(|| self.retracted(memory, text, (*began_ms, now)))
            }
            TurnInput::Spoken { text, began_ms } => self.retracted(memory, text, (*began_ms, now)),
            TurnInput::Typed { text } => self.retracted(memory, text, (now, now)),
            TurnInput::Written => None,
        };
        TurnStartEffects { expired, words }
    }

    /// Words that take back what the person was asked about before they said them.
    fn retracted(
        &self,
        memory: &PolicyState,
        text: &str,
        (said, now): (u64, u64),
    ) -> Option<Words> {
        let retraction = self.core.grammar.retracts(text)?;
        let ids = memory.questions.retracted(retraction, memory.turn, (said, now));
        (!ids.is_empty()).then_some(Words::Retracted { ids })
    }

    /// Only an utterance that began after the question was put is an answer to it.
    fn listen(
        &self,
        memory: &mut PolicyState,
        text: &str,
        began_ms: u64,
        now: u64,
    ) -> Option<Words> {
        let question = memory.questions.listening(now)?;
        if began_ms < question.asked_ms {
            return None;
        }
        let answer = |approve| Some(Words::Answer { id: question.id.clone(), approve });
        match (self.core.grammar.hear(text), question.ear) {
            (YesNo::Yes, _) => answer(true),
            (YesNo::No, _) => answer(false),
            // Words that take it back need no other answer.
            (YesNo::Unclear, _) if self.core.grammar.retracts(text).is_some() => None,
            (YesNo::Unclear, SpokenAnswer::Open) => {
                question.ear = SpokenAnswer::OpenAgain;
                Some(Words::Unclear { preview: question.preview.clone() })
            }
            (YesNo::Unclear, SpokenAnswer::OpenAgain | SpokenAnswer::Closed) => {
                question.ear = SpokenAnswer::Closed;
                None
            }
        }
    }

    /// Acts on what was heard.
    pub(crate) async fn resolve(self: Arc<Self>, heard: TurnStartEffects) -> Vec<Resolution> {
        let mut resolutions = Vec::new();
        for id in heard.expired {
            // One that could not be taken is found again when the next turn begins.
            resolutions.extend(self.close_by_id(&id, ConfirmationOutcome::Expired).await.ok());
        }
        match heard.words {
            None => {}
            Some(Words::Unclear { preview }) => resolutions.push(self.ask_again(preview)),
            Some(Words::Retracted { ids }) => {
                for id in ids {
                    // One that could not be taken stays open, and a click answers it.
                    resolutions
                        .extend(self.close_by_id(&id, ConfirmationOutcome::Superseded).await.ok());
                }
            }
            Some(Words::Answer { id, approve }) => match self.answer_by_id(&id, approve).await {
                Ok(resolution) => resolutions.push(resolution),
                Err(ConfirmError::Store(error)) => {
                    resolutions.extend(self.not_kept(&id, &error));
                }
                // It was answered by a click meanwhile, or withdrawn, which was told then.
                Err(
                    ConfirmError::Forged
                    | ConfirmError::NotOwner
                    | ConfirmError::Unknown
                    | ConfirmError::Decided(_),
                ) => {
                    self.lock().memory.questions.remove(&id);
                }
            },
        }
        resolutions
    }

    fn ask_again(&self, preview: String) -> Resolution {
        self.publish(|| ConversationEvent::ConfirmationRepeated { preview: preview.clone() });
        Resolution::AskAgain { preview }
    }

    /// What the person said could not be acted on. The question is open and listens as before, and
    /// they are asked to say it again.
    fn not_kept(&self, id: &str, error: &StoreError) -> Option<Resolution> {
        let (preview, asked) = {
            let inner = self.lock();
            let question = inner.memory.questions.open(id)?;
            (question.preview.clone(), question.waiting.first().map(|held| held.call.clone()))
        };
        if let Some(ToolCall { call_id, tool_id: tool, .. }) = asked {
            self.publish(|| ConversationEvent::Defect { call_id, tool, what: error.to_string() });
        }
        Some(self.ask_again(preview))
    }
}
