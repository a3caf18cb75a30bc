//! Loads a conversation with the registry it began with, or begins one.

use std::collections::VecDeque;
use std::sync::Arc;

use aileron_contract::ConversationId;
use aileron_store::{AcquireResult, Lease, SaveResult};

use super::change::move_to;
use super::document::{Document, StablePart};
use super::ownership::{ATTEMPTS, own};
use super::resume::{assemble, check_entry, fits, resume};
use super::save::save;
use crate::assignment::NewConversation;
use crate::conversation_core::ConversationCore;
use crate::event::{ConversationEvent, EventSource};
use crate::open_error::OpenError;
use crate::open_request::{ModeEntry, OpenRequest};
use crate::person::Person;
use crate::services::Services;
use crate::snapshot::ConversationSnapshot;
use crate::state::{ConversationState, EndReason, Lifecycle, StateEvent};

/// After this time without a save, opening a conversation saves it. Well below the shortest retention.
const USED_AGAIN_MS: u64 = 6 * 3_600_000;

/// Loads a conversation and takes its ownership from the process that had it. A conversation that
/// was not used for a long time is saved, so that it is not removed while it is open.
pub(crate) async fn load(
    services: &Arc<Services>,
    request: &OpenRequest,
    entry: ModeEntry,
) -> Result<Option<Arc<ConversationCore>>, OpenError> {
    let store = &services.store;
    // Checked before ownership is taken: a person who may not enter must not take it from another
    // process.
    let Some(found) = store.load_conversation(&request.id).await? else { return Ok(None) };
    let document = Document::read(&found.body).map_err(OpenError::unreadable)?;
    fits(&document, request, entry)?;
    services.toolsets.find(&document.stable.registry_version).await?;
    let (lease, found) = match store.acquire(&request.id).await? {
        AcquireResult::Owner(lease, found) => (lease, found),
        AcquireResult::Ended(_) => return Err(OpenError::Ended),
        AcquireResult::Missing => return Ok(None),
        AcquireResult::Held => return Err(OpenError::HeldElsewhere),
    };
    let document = Document::read(&found.body).map_err(OpenError::unreadable)?;
    let held = (found.version, lease);
    let core = resume(services, (request.clone(), entry), document, held).await?;
    if services.now().saturating_sub(found.time) >= USED_AGAIN_MS {
        save(&core, &mut core.lock());
    }
    Ok(Some(core))
}

/// The conversation from the store, or a new one, with the registry that is wanted for it.
pub(crate) async fn load_or_begin(
    services: &Arc<Services>,
    request: &OpenRequest,
    wanted: Option<&str>,
) -> Result<Arc<ConversationCore>, OpenError> {
    loop {
        if let Some(found) = load(services, request, ModeEntry::IfExpected).await? {
            return Ok(found);
        }
        if let Some(begun) = begin(services, request.clone(), wanted).await? {
            return Ok(begun);
        }
    }
}

/// A copy of the conversation as it would be opened, for a dry run. Changes to it are not saved,
/// and its ownership does not change.
pub(crate) async fn dry_run_copy(
    services: &Arc<Services>,
    request: &OpenRequest,
) -> Result<Arc<ConversationCore>, OpenError> {
    let core = match services.store.load_conversation(&request.id).await? {
        Some(found) => {
            let document = Document::read(&found.body).map_err(OpenError::unreadable)?;
            let held = (found.version, Lease::unowned());
            let who = (request.clone(), ModeEntry::IfExpected);
            resume(services, who, document, held).await?
        }
        None => fresh(services, request.clone(), None)?,
    };
    let mut locked = core.lock();
    locked.policy.state.move_to(request.mode);
    locked.update_mode();
    drop(locked);
    Ok(core)
}

/// Begins a conversation, unless another process begins it at the same time.
async fn begin(
    services: &Arc<Services>,
    request: OpenRequest,
    wanted: Option<&str>,
) -> Result<Option<Arc<ConversationCore>>, OpenError> {
    let core = fresh(services, request, wanted)?;
    let body = Arc::new(core.lock().document());
    let (info, now) = (&core.info, services.now());
    let owner = info.person.id.as_ref();
    let begun = services.store.begin_conversation(&info.id, owner, body, now).await?;
    let Some(lease) = begun else { return Ok(None) };
    core.lock().policy.set_lease(lease);
    let mode = core.mode();
    info.publish(|| ConversationEvent::Began { mode });
    Ok(Some(core))
}

/// A conversation that is not in the store yet.
fn fresh(
    services: &Arc<Services>,
    request: OpenRequest,
    wanted: Option<&str>,
) -> Result<Arc<ConversationCore>, OpenError> {
    let new = NewConversation { person: &request.person, id: &request.id, wanted };
    let (toolset, assigned) = services.toolsets.assign(new)?;
    let stable = StablePart {
        user: request.person.id.clone(),
        registry_version: toolset.registry().version().to_owned(),
        assigned,
        state: ConversationState::new(request.mode),
        decided: VecDeque::new(),
    };
    let document = Document { turn: 0, turn_began: services.now(), stable };
    // The version that it has once it is stored.
    Ok(assemble(services, request, toolset, document, (1, Lease::unowned())))
}

/// Admits the conversation's person in the requested mode, changing the mode if that is allowed.
pub(crate) async fn enter(
    core: Arc<ConversationCore>,
    request: OpenRequest,
    entry: ModeEntry,
) -> Result<(), OpenError> {
    if core.info.person.id != request.person.id {
        return Err(OpenError::NotOwner);
    }
    own(&core).await?;
    check_entry(&core.lock().policy.state, request.mode, entry)?;
    match core.mode() == request.mode {
        true => Ok(()),
        false => move_to(&core, request.mode).await,
    }
}

/// The current state of an open conversation.
pub(crate) fn snapshot(core: &ConversationCore) -> ConversationSnapshot {
    let locked = core.lock();
    ConversationSnapshot {
        id: core.info.id.clone(),
        user: core.info.person.id.clone(),
        turn: locked.policy.turn,
        registry_version: locked.policy.scope.registry_version.clone(),
        assigned: locked.saved.assigned.clone(),
        state: locked.policy.state.clone(),
    }
}

/// A conversation from the store.
pub(crate) async fn stored(
    services: &Services,
    id: &ConversationId,
) -> Result<Option<ConversationSnapshot>, OpenError> {
    let Some(found) = services.store.load_conversation(id).await? else { return Ok(None) };
    let Document { turn, stable, .. } =
        Document::read(&found.body).map_err(OpenError::unreadable)?;
    let StablePart { user, registry_version, assigned, state, .. } = stable;
    let id = id.clone();
    Ok(Some(ConversationSnapshot { id, user, turn, registry_version, assigned, state }))
}

/// Ends a conversation that is not open here, whatever registry it began with. `None`: this person
/// has no such conversation.
pub(crate) async fn end_stored(
    services: &Services,
    id: &ConversationId,
    person: &Person,
    reason: EndReason,
) -> Result<Option<()>, OpenError> {
    for _ in 0..ATTEMPTS {
        let found = stored(services, id).await?.filter(|found| found.user == person.id);
        let Some(found) = found else { return Ok(None) };
        if found.state.lifecycle() != Lifecycle::Active {
            return Ok(Some(()));
        }
        let (lease, found) = match services.store.acquire(id).await? {
            AcquireResult::Owner(lease, found) => (lease, found),
            AcquireResult::Ended(_) => return Ok(Some(())),
            AcquireResult::Missing => return Ok(None),
            AcquireResult::Held => return Err(OpenError::HeldElsewhere),
        };
        let mut document = Document::read(&found.body).map_err(OpenError::unreadable)?;
        // A conversation that has already ended keeps its reason.
        let _ = document.stable.state.on_event(StateEvent::Closed(reason));
        let registry_version = document.stable.registry_version.clone();
        let body = Arc::new(document.body());
        let (store, now) = (&services.store, services.now());
        let ended = store.end_conversation(id, lease.at(found.version), body, now).await?;
        if let SaveResult::At(_) = ended {
            let (user, registry_version) = (person.id.as_ref(), registry_version.as_str());
            let source = EventSource { conversation: id, user, registry_version };
            services.observer.on_event(source, ConversationEvent::Ended { reason });
            return Ok(Some(()));
        }
    }
    Err(OpenError::HeldElsewhere)
}
