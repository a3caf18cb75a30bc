//! A conversation in the store: begun, kept, and taken up again with the same registry.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::{ConversationId, Mode, UserId};
use aileron_store::{Acquired, Lease, Pending, Saved};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ATTEMPTS, ConversationCore, Locked, PendingSaves, PolicyState};
use crate::approval::INCLUDE_EXPIRED;
use crate::candidate::CandidateCall;
use crate::orchestrator::{Core, ModeEntry, OpenError, OpenRequest};
use crate::person::Person;
use crate::question::{
    OpenConfirmation, OpenConfirmations, ResolvedConfirmation, SpokenAnswer, StoredConfirmation,
};
use crate::restore_turn::restore_turn;
use crate::snapshot::ConversationSnapshot;
use crate::state::{ConversationState, EndReason, Lifecycle, StateEvent};
use crate::toolset::Toolset;

/// After this time, opening a conversation is told to the store. Well below the least that
/// conversations are kept.
const USED_AGAIN_MS: u64 = 6 * 3_600_000;

/// What is kept of a conversation. What was called in a turn is in the audit log.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) turn: u64,
    /// When the turn began, in milliseconds since the Unix epoch.
    turn_began: u64,
    pub(super) stable: StablePart,
}

/// The part that seldom changes. It is kept as text, so that a turn does not write it anew.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct StablePart {
    user: Option<UserId>,
    registry_version: String,
    pub(super) state: ConversationState,
    pub(super) decided: VecDeque<ResolvedConfirmation>,
}

/// The members of the document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written {
    turn: u64,
    turn_began: u64,
    #[serde(rename = "lasting")]
    stable: String,
}

impl Document {
    pub(super) fn read(body: &Value) -> Result<Self, serde_json::Error> {
        let Written { turn, turn_began, stable } = Written::deserialize(body)?;
        Ok(Self { turn, turn_began, stable: serde_json::from_str(&stable)? })
    }

    fn body(&self) -> Value {
        let stable = json!(self.stable).to_string();
        json!({ "turn": self.turn, "turnBegan": self.turn_began, "lasting": stable })
    }
}

impl ConversationCore {
    /// The conversation as the store has it, taken from whoever had it. One that was not used for long
    /// is saved anew, so that it is not forgotten while somebody has it open.
    pub(crate) async fn load(
        core: &Arc<Core>,
        opening: &OpenRequest,
        arrival: ModeEntry,
    ) -> Result<Option<Arc<Self>>, OpenError> {
        // NoopObserver loses it to somebody who is not let in.
        let Some(found) = core.store.load_conversation(&opening.id).await? else { return Ok(None) };
        let document = Document::read(&found.body).map_err(OpenError::unreadable)?;
        fits(&document, opening, arrival)?;
        core.toolset_of(&document.stable.registry_version).await?;
        let (lease, found) = match core.store.acquire(&opening.id).await? {
            Acquired::Owner(lease, found) => (lease, found),
            Acquired::Ended(_) => return Err(OpenError::Ended),
            Acquired::Missing => return Ok(None),
            Acquired::Held => return Err(OpenError::HeldElsewhere),
        };
        let document = Document::read(&found.body).map_err(OpenError::unreadable)?;
        let who = (opening.clone(), arrival);
        let shared = Self::resume(core, who, document, (found.version, lease)).await?;
        if shared.now().saturating_sub(found.time) >= USED_AGAIN_MS {
            shared.save_turn(&mut shared.lock());
        }
        Ok(Some(shared))
    }

    /// The conversation as the store has it, left to whoever has it.
    async fn copy(core: &Arc<Core>, opening: &OpenRequest) -> Result<Option<Arc<Self>>, OpenError> {
        let Some(found) = core.store.load_conversation(&opening.id).await? else { return Ok(None) };
        let document = Document::read(&found.body).map_err(OpenError::unreadable)?;
        let who = (opening.clone(), ModeEntry::Asked);
        let copy = Self::resume(core, who, document, (found.version, Lease::unowned())).await?;
        Ok(Some(copy))
    }

    /// The conversation as the store has it, or one that begins.
    pub(crate) async fn load_or_begin(
        core: &Arc<Core>,
        opening: &OpenRequest,
    ) -> Result<Arc<Self>, OpenError> {
        loop {
            if let Some(found) = Self::load(core, opening, ModeEntry::Asked).await? {
                return Ok(found);
            }
            if let Some(begun) = Self::begin(core, opening.clone()).await? {
                return Ok(begun);
            }
        }
    }

    /// The conversation as it would be opened, over a copy of what the store has, to be asked and
    /// dropped: whatever is done to it is not kept.
    pub(crate) async fn supposed(
        core: &Arc<Core>,
        opening: &OpenRequest,
    ) -> Result<Arc<Self>, OpenError> {
        let shared = match Self::copy(core, opening).await? {
            Some(found) => found,
            None => Self::fresh(core, opening.clone())?,
        };
        let mut inner = shared.lock();
        if inner.memory.mode() != opening.mode {
            inner.memory.move_to(opening.mode);
        }
        drop(inner);
        Ok(shared)
    }

    /// Begins a conversation, unless someone else does at the same time.
    async fn begin(core: &Arc<Core>, opening: OpenRequest) -> Result<Option<Arc<Self>>, OpenError> {
        let shared = Self::fresh(core, opening)?;
        let body = Arc::new(shared.lock().document());
        let (owner, now) = (shared.person.id.as_ref(), shared.now());
        let begun = core.store.begin_conversation(&shared.id, owner, body, now).await?;
        let Some(lease) = begun else { return Ok(None) };
        shared.lock().memory.take_lease(lease);
        Ok(Some(shared))
    }

    /// A conversation that nobody has begun.
    fn fresh(core: &Arc<Core>, opening: OpenRequest) -> Result<Arc<Self>, OpenError> {
        let toolset = core.toolset(None)?;
        let stable = StablePart {
            user: opening.person.id.clone(),
            registry_version: toolset.registry().version().to_owned(),
            state: ConversationState::new(opening.mode),
            decided: VecDeque::new(),
        };
        let document = Document { turn: 0, turn_began: core.clock.now_ms(), stable };
        // The version that it has once it is begun.
        Ok(Self::assemble(core, opening, toolset, document, (1, Lease::unowned())))
    }

    pub(super) async fn resume(
        core: &Arc<Core>,
        (opening, arrival): (OpenRequest, ModeEntry),
        document: Document,
        held: (u64, Lease),
    ) -> Result<Arc<Self>, OpenError> {
        fits(&document, &opening, arrival)?;
        let toolset = core.toolset_of(&document.stable.registry_version).await?;
        let pending = core.store.confirmations(&opening.id, INCLUDE_EXPIRED).await?;
        let shared = Self::assemble(core, opening, toolset, document, held);
        restore_turn(&*core.store, &shared.toolset, &mut shared.lock().memory)?;
        // A process that died between keeping a decision and acting on it has decided nothing.
        pending.iter().for_each(|one| shared.lock().memory.questions.reopen(&one.token));
        // Those that have expired are closed when the next turn begins; until then their calls wait.
        for question in pending.iter().filter_map(|one| question(one, &shared.toolset)) {
            shared.remember_waiting(&question);
            shared.lock().memory.questions.push(question);
        }
        Ok(shared)
    }

    fn assemble(
        core: &Arc<Core>,
        opening: OpenRequest,
        toolset: Arc<Toolset>,
        document: Document,
        (version, lease): (u64, Lease),
    ) -> Arc<Self> {
        let OpenRequest { id, person, .. } = opening;
        let (user_view, scopes) = (Arc::new(person.view()), person.scopes.as_slice().into());
        let Document { turn, turn_began, stable } = document;
        let mode = stable.state.mode();
        let mut memory = PolicyState {
            state: stable.state,
            turn,
            turn_began,
            questions: OpenConfirmations::with_decided(stable.decided),
            ..PolicyState::begin((id.clone(), mode), &person, &stable.registry_version)
        };
        memory.take_lease(lease);
        let stable = stable_text(&memory, &memory.state);
        let (running, saves) = (Vec::new(), PendingSaves::at(version));
        let inner =
            Mutex::new(Locked { memory, next: None, running, saves, stable, is_stale: false });
        Arc::new(Self {
            core: core.clone(),
            id,
            person,
            toolset,
            user_view,
            scopes,
            write_lock: Arc::default(),
            deciding: Arc::default(),
            changing: tokio::sync::Mutex::default(),
            inner,
        })
    }

    /// Keeps the conversation as it is now. Changes take effect in the order they are asked for, so
    /// whatever is recorded after this is lost if this is lost.
    pub(crate) fn save(&self, inner: &mut Locked) {
        inner.stable = inner.stable_text();
        self.save_turn(inner);
    }

    /// Keeps the conversation of which nothing but the turn has changed. One that has ended is kept
    /// as it ended.
    fn save_turn(&self, inner: &mut Locked) {
        if inner.memory.state.standing() != Lifecycle::Active {
            return;
        }
        let body = Arc::new(inner.document());
        let (version, now) = (inner.saves.next(), self.now());
        let owner = self.person.id.as_ref();
        inner.saves.push(self.core.store.save_conversation(&self.id, owner, version, body, now));
    }

    /// Lets somebody in: the person of the conversation, in the mode it is held in or moves to.
    pub(crate) async fn receive(
        self: Arc<Self>,
        opening: OpenRequest,
        arrival: ModeEntry,
    ) -> Result<(), OpenError> {
        if self.person.id != opening.person.id {
            return Err(OpenError::NotOwner);
        }
        self.own().await?;
        check_standing(&self.lock().memory.state, opening.mode, arrival)?;
        match self.mode() == opening.mode {
            true => Ok(()),
            false => self.move_to(opening.mode).await,
        }
    }

    pub(crate) fn glance(&self) -> ConversationSnapshot {
        let inner = self.lock();
        ConversationSnapshot {
            id: self.id.clone(),
            turn: inner.memory.turn,
            registry_version: inner.memory.scope.registry_version.clone(),
            state: inner.memory.state.clone(),
        }
    }
}

/// What the store has of a conversation, if it is this person's.
pub(crate) async fn stored(
    core: &Core,
    id: &ConversationId,
    person: &Person,
) -> Result<Option<ConversationSnapshot>, OpenError> {
    let Some(found) = core.store.load_conversation(id).await? else { return Ok(None) };
    let Document { turn, stable, .. } =
        Document::read(&found.body).map_err(OpenError::unreadable)?;
    let StablePart { user, registry_version, state, .. } = stable;
    let glance = ConversationSnapshot { id: id.clone(), turn, registry_version, state };
    Ok((user == person.id).then_some(glance))
}

/// Ends a conversation that no process need have open, with whatever registry it began. `None`: this
/// person has no such conversation.
pub(crate) async fn end_stored(
    core: &Core,
    id: &ConversationId,
    person: &Person,
    reason: EndReason,
) -> Result<Option<()>, OpenError> {
    for _ in 0..ATTEMPTS {
        let Some(found) = stored(core, id, person).await? else { return Ok(None) };
        if found.state.standing() != Lifecycle::Active {
            return Ok(Some(()));
        }
        let found = match core.store.acquire(id).await? {
            Acquired::Owner(_, found) => found,
            Acquired::Ended(_) => return Ok(Some(())),
            Acquired::Missing => return Ok(None),
            Acquired::Held => return Err(OpenError::HeldElsewhere),
        };
        let mut document = Document::read(&found.body).map_err(OpenError::unreadable)?;
        // One that has ended meanwhile stays as it ended.
        let _ = document.stable.state.on_event(StateEvent::Closed(reason));
        let body = Arc::new(document.body());
        let ended =
            core.store.end_conversation(id, found.version, body, core.clock.now_ms()).await?;
        if let Saved::At(_) = ended {
            return Ok(Some(()));
        }
    }
    Err(OpenError::HeldElsewhere)
}

impl Locked {
    /// The conversation as it is, or as it is about to be.
    pub(super) fn document(&self) -> Value {
        let PolicyState { turn, turn_began, .. } = self.memory;
        let (turn, turn_began) =
            self.next.as_ref().map_or((turn, turn_began), |next| (next.turn, next.turn_began));
        json!({ "turn": turn, "turnBegan": turn_began, "lasting": self.stable })
    }

    pub(super) fn stable_text(&self) -> String {
        let state = self.next.as_ref().map_or(&self.memory.state, |next| &next.state);
        stable_text(&self.memory, state)
    }
}

fn stable_text(memory: &PolicyState, state: &ConversationState) -> String {
    let stable = json!({
        "user": memory.scope.user,
        "registryVersion": memory.scope.registry_version,
        "state": state,
        "decided": memory.questions.decided(),
    });
    stable.to_string()
}

fn fits(document: &Document, opening: &OpenRequest, arrival: ModeEntry) -> Result<(), OpenError> {
    if document.stable.user != opening.person.id {
        return Err(OpenError::NotOwner);
    }
    check_standing(&document.stable.state, opening.mode, arrival)
}

fn check_standing(
    state: &ConversationState,
    mode: Mode,
    arrival: ModeEntry,
) -> Result<(), OpenError> {
    if arrival == ModeEntry::Asked && !state.accepts_mode(mode) {
        return Err(OpenError::OtherMode { held_in: state.mode() });
    }
    match state.standing() {
        Lifecycle::Active => Ok(()),
        Lifecycle::Ended { .. } => Err(OpenError::Ended),
    }
}

/// A question as the store kept it. After a restart only a click answers it: who said what before
/// is not known any more.
fn question(pending: &Pending, toolset: &Toolset) -> Option<OpenConfirmation> {
    let waiting = StoredConfirmation::deserialize(&*pending.body).ok()?;
    let candidate = CandidateCall::new(waiting.asked.call.clone(), toolset);
    let args = candidate.args.as_ref().ok()?.clone();
    Some(OpenConfirmation {
        id: pending.token.clone(),
        preview: waiting.preview.clone(),
        request: ConfirmationRequest {
            token: waiting.token,
            expires: pending.expires,
            tool: candidate.spec()?.tool_id.clone(),
            args,
            preview: waiting.preview,
        },
        digest: candidate.digest,
        subject: waiting.subject,
        turn: waiting.turn,
        asked_ms: waiting.asked_ms,
        ear: SpokenAnswer::Closed,
        waiting: std::iter::once(waiting.asked).chain(waiting.siblings).collect(),
    })
}
