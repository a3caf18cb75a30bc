//! Builds a conversation from its document, with its turn from the audit log and its open
//! confirmations from the store.

use std::sync::Arc;

use aileron_contract::Mode;
use aileron_store::Lease;

use super::document::Document;
use super::restore_turn::restore_turn;
use super::saved_state::SavedState;
use crate::confirmation::{Confirmations, INCLUDE_EXPIRED, restore};
use crate::conversation_core::{ConversationCore, Locked};
use crate::conversation_info::ConversationInfo;
use crate::open_error::OpenError;
use crate::open_request::{ModeEntry, OpenRequest};
use crate::policy_state::PolicyState;
use crate::services::Services;
use crate::state::{ConversationState, Lifecycle};
use crate::toolset::Toolset;

pub(super) async fn resume(
    services: &Arc<Services>,
    (request, entry): (OpenRequest, ModeEntry),
    document: Document,
    held: (u64, Lease),
) -> Result<Arc<ConversationCore>, OpenError> {
    fits(&document, &request, entry)?;
    let toolset = services.toolsets.find(&document.stable.registry_version).await?;
    let pending = services.store.confirmations(&request.id, INCLUDE_EXPIRED).await?;
    let core = assemble(services, request, toolset, document, held);
    let mut locked = core.lock();
    restore_turn(&*services.store, &core.info.toolset, &mut locked.policy)?;
    for one in &pending {
        // If a process died between storing a resolution and acting on it, the confirmation is
        // still open.
        locked.confirmations.reopen(&one.token);
        // An expired confirmation is closed when the next turn begins; until then its calls wait.
        restore(&core.info, one, &mut locked.confirmations);
    }
    drop(locked);
    services.tasks.watch(&core.info.id);
    Ok(core)
}

pub(super) fn assemble(
    services: &Arc<Services>,
    request: OpenRequest,
    toolset: Arc<Toolset>,
    document: Document,
    (version, lease): (u64, Lease),
) -> Arc<ConversationCore> {
    let OpenRequest { id, person, .. } = request;
    let Document { turn, turn_began, stable } = document;
    let mode = stable.state.mode();
    let mut policy = PolicyState {
        state: stable.state,
        turn,
        turn_began,
        ..PolicyState::begin((id.clone(), mode), &person, &stable.registry_version)
    };
    policy.set_lease(lease);
    let info = ConversationInfo {
        services: services.clone(),
        id,
        toolset,
        user_view: Arc::new(person.view()),
        scopes: person.scopes.as_slice().into(),
        person,
    };
    let confirmations = Confirmations::with_resolved(stable.decided);
    let locked = Locked { policy, confirmations, saved: SavedState::at(version, stable.assigned) };
    Arc::new(ConversationCore::new(Arc::new(info), locked))
}

/// Whether a conversation belongs to this person, and may be entered in this mode.
pub(super) fn fits(
    document: &Document,
    request: &OpenRequest,
    entry: ModeEntry,
) -> Result<(), OpenError> {
    if document.stable.user != request.person.id {
        return Err(OpenError::NotOwner);
    }
    check_entry(&document.stable.state, request.mode, entry)
}

pub(super) fn check_entry(
    state: &ConversationState,
    mode: Mode,
    entry: ModeEntry,
) -> Result<(), OpenError> {
    if entry == ModeEntry::IfExpected && !state.accepts_mode(mode) {
        return Err(OpenError::OtherMode { held_in: state.mode() });
    }
    match state.lifecycle() {
        Lifecycle::Active => Ok(()),
        Lifecycle::Ended { .. } => Err(OpenError::Ended),
    }
}
