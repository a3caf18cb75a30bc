//! A conversation in the store: begun, kept, and taken up again with the same registry.

use std::sync::{Arc, Mutex};

use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::{ConversationId, Mode, UserId};
use aileron_store::{Pending, Saved, Scope};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Inner, Memory, Saves, Shared};
use crate::answered::Answered;
use crate::conversation::memory::Usage;
use crate::draft::Draft;
use crate::history::History;
use crate::orchestrator::{Core, OpenError, Opening};
use crate::question::{Ear, Question, Questions, Waiting};
use crate::refused::Refused;
use crate::state::{Standing, State};
use crate::toolset::Toolset;

/// What is kept of a conversation.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Document {
    user: Option<UserId>,
    registry_version: String,
    pub(super) turn: u64,
    usage: Usage,
    pub(super) state: State,
    history: History,
    #[serde(default)]
    pub(super) answered: Answered,
}

impl Shared {
    /// The conversation as the store has it, or one that begins.
    pub(crate) async fn load_or_begin(
        core: &Arc<Core>,
        opening: &Opening,
    ) -> Result<Arc<Self>, OpenError> {
        loop {
            if let Some(found) = core.store.load_conversation(&opening.id).await? {
                let document = Document::deserialize(&*found.body)
                    .map_err(|error| OpenError::Unreadable { why: error.to_string() })?;
                return Self::resume(core, opening.clone(), document, found.version).await;
            }
            if let Some(begun) = Self::begin(core, opening.clone()).await? {
                return Ok(begun);
            }
        }
    }

    /// Begins a conversation, unless someone else does at the same time.
    async fn begin(core: &Arc<Core>, opening: Opening) -> Result<Option<Arc<Self>>, OpenError> {
        let toolset = core.toolset(None)?;
        let document = Document {
            user: opening.person.id.clone(),
            registry_version: toolset.registry().version().to_owned(),
            turn: 0,
            usage: Usage::default(),
            state: State::new(opening.mode),
            history: History::default(),
            answered: Answered::default(),
        };
        let shared = Self::assemble(core, opening, toolset, document, (0, Questions::default()));
        let body = Arc::new(self::document(&shared.lock().memory));
        let saved = core.store.save_conversation(&shared.id, 0, body, shared.now()).await;
        match saved {
            Ok(Saved::Conflict { .. }) => return Ok(None),
            Ok(Saved::At(version)) => shared.lock().saves = Saves::at(version),
            // It is saved when its first turn begins.
            Err(_) => {}
        }
        Ok(Some(shared))
    }

    async fn resume(
        core: &Arc<Core>,
        opening: Opening,
        document: Document,
        version: u64,
    ) -> Result<Arc<Self>, OpenError> {
        fits(&document, &opening)?;
        let toolset = core.toolset(Some(&document.registry_version))?;
        let now = core.clock.now_ms();
        let pending = core.store.confirmations(&opening.id, now).await?;
        let mut questions = Questions::default();
        pending
            .iter()
            .filter_map(|one| question(one, &toolset))
            .for_each(|one| questions.push(one));
        Ok(Self::assemble(core, opening, toolset, document, (version, questions)))
    }

    fn assemble(
        core: &Arc<Core>,
        opening: Opening,
        toolset: Arc<Toolset>,
        document: Document,
        (version, questions): (u64, Questions),
    ) -> Arc<Self> {
        let block_id = Self::block_id(&opening);
        let Opening { id, mode, person } = opening;
        let user_view = Arc::new(person.view());
        let memory = Memory {
            scope: Arc::new(Scope {
                conversation: id.clone(),
                user: person.id.clone(),
                mode,
                registry_version: document.registry_version,
            }),
            block_id,
            state: document.state,
            turn: document.turn,
            usage: document.usage,
            history: document.history,
            questions,
            refused: Refused::default(),
            answered: document.answered,
        };
        let inner = Mutex::new(Inner { memory, running: Vec::new(), saves: Saves::at(version) });
        let writing = Arc::default();
        Arc::new(Self { core: core.clone(), id, mode, person, toolset, user_view, writing, inner })
    }

    /// Under which id a person is blocked. A stranger has none but the conversation's.
    pub(crate) fn block_id(opening: &Opening) -> UserId {
        let own = opening.person.id.clone();
        own.or_else(|| stranger(&opening.id)).unwrap_or_else(nobody)
    }

    /// Keeps the conversation as it is now. Changes take effect in the order they are asked for, so
    /// whatever is recorded after this is lost if this is lost.
    pub(crate) fn save(&self, inner: &mut Inner) {
        let body = Arc::new(document(&inner.memory));
        let now = self.now();
        let version = inner.saves.version();
        inner.saves.push(self.core.store.save_conversation(&self.id, version, body, now));
    }

    pub(crate) fn admits(&self, opening: &Opening) -> Result<(), OpenError> {
        if self.person.id != opening.person.id {
            return Err(OpenError::NotYours);
        }
        check_standing(self.mode, &self.lock().memory.state, opening)
    }
}

fn document(memory: &Memory) -> Value {
    json!({
        "user": memory.scope.user,
        "registryVersion": memory.scope.registry_version,
        "turn": memory.turn,
        "usage": memory.usage,
        "state": memory.state,
        "history": memory.history,
        "answered": memory.answered,
    })
}

fn fits(document: &Document, opening: &Opening) -> Result<(), OpenError> {
    if document.user != opening.person.id {
        return Err(OpenError::NotYours);
    }
    check_standing(document.state.mode(), &document.state, opening)
}

fn check_standing(mode: Mode, state: &State, opening: &Opening) -> Result<(), OpenError> {
    if mode != opening.mode {
        return Err(OpenError::OtherMode { held_in: mode });
    }
    match state.standing() {
        Standing::Active => Ok(()),
        Standing::Ended { .. } => Err(OpenError::Ended),
    }
}

fn stranger(conversation: &ConversationId) -> Option<UserId> {
    let short: String = conversation.as_str().chars().take(60).collect();
    UserId::new(format!("stranger:{short}")).ok()
}

/// A conversation id has no control characters and fits, so this is never needed.
fn nobody() -> UserId {
    UserId::new("stranger").unwrap_or_else(|_| unreachable!("a fixed id is well formed"))
}

/// A question as the store kept it. After a restart only a click answers it: who said what before
/// is not known any more.
fn question(pending: &Pending, toolset: &Toolset) -> Option<Question> {
    let waiting = Waiting::deserialize(&*pending.body).ok()?;
    let draft = Draft::new(waiting.asked.call, toolset);
    let args = draft.args.as_ref().ok()?.clone();
    Some(Question {
        id: pending.token.clone(),
        key: waiting.asked.key.into(),
        preview: waiting.preview.clone(),
        request: ConfirmationRequest {
            token: waiting.token,
            expires: pending.expires,
            tool: draft.spec()?.tool_id.clone(),
            args,
            preview: waiting.preview,
        },
        digest: draft.digest,
        turn: waiting.turn,
        asked_ms: waiting.asked_ms,
        ear: Ear::Closed,
        held: waiting.siblings.into_iter().map(|held| held.key.into()).collect(),
    })
}
