//! The labels that the person is shown in place of arguments that only an engine understands, such
//! as the id of a draft. Engines are queried outside of the conversation's lock, before the
//! confirmation is published. The call that the confirmation is bound to does not change.

use std::sync::Arc;

use aileron_contract::envelope::ConfirmationRequest;
use aileron_store::PendingWrite;

use super::pending::pending;
use super::subject::Subject;
use crate::call_identity::CallIdentity;
use crate::candidate::preview_of;
use crate::conversation_core::ConversationCore;
use crate::token;

/// Updates the preview of a confirmation if an engine has labels for it. A confirmation that was
/// resolved meanwhile is not stored again.
pub(super) async fn describe(
    core: &ConversationCore,
    call: &CallIdentity,
    request: &mut ConfirmationRequest,
) -> Option<PendingWrite<()>> {
    let (info, entry) = (&core.info, call.entry.as_ref()?);
    let caller = info.caller(call, entry, core.mode());
    let args = Arc::new(request.args.clone());
    let platform = &info.services.platform;
    let meant = platform.meanings(&entry.spec().capabilities, caller, args)?.await;
    if meant.arguments.is_empty() {
        return None;
    }
    request.preview = preview_of(entry, &request.args, &meant.arguments, platform);
    let mut locked = core.lock();
    let confirmation = locked.confirmations.find_mut(token::id_of(&request.token)?)?;
    if confirmation.preview == request.preview {
        return None;
    }
    confirmation.preview.clone_from(&request.preview);
    confirmation.request.preview.clone_from(&request.preview);
    confirmation.subject = meant.subject.map(Subject::Content).or(confirmation.subject.take());
    // Under the lock, so that an answer takes the confirmation from the store only after this.
    Some(info.store().put_confirmation(pending(info, confirmation)))
}
