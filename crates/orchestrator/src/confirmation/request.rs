//! Requests a confirmation: signed, stored, then published to the person.

use std::sync::Arc;

use aileron_capability::envelope::{ResponseMeta, failed};
use aileron_contract::envelope::{Clamp, ConfirmationRequest, Failure};
use aileron_contract::{ContentHash, ErrorType, Mode, Outcome, ToolResponse};
use aileron_store::{CallCompleter, CallStart, CallWait, PendingWrite, TakeRecord};

use super::describe::describe;
use super::pending::pending;
use super::state::{OpenConfirmation, SpokenAnswer};
use super::stored::WaitingCall;
use super::subject;
use super::supersede::{self, SupersededConfirmation, close_superseded};
use crate::admission::{Finality, Refusal};
use crate::call_identity::CallIdentity;
use crate::candidate::CandidateCall;
use crate::conversation_core::{ConversationCore, Locked};
use crate::conversation_info::ConversationInfo;
use crate::event::ConversationEvent;
use crate::policy::PolicyName;
use crate::policy_state::PolicyState;
use crate::refusal::{AnsweredCall, refuse};
use crate::token::{self, TokenId};
use crate::trail::Trail;

/// The answer to a write that waits behind the confirmation of another call.
pub(crate) const HELD: &str =
    "this waits until the person has answered about another call of the same message";

const NOT_KEPT: &str =
    "the person cannot be asked at the moment, because the question cannot be kept";
const NO_CHANCE: &str = "the person cannot be asked at the moment";

/// A confirmation that is being stored.
#[derive(Debug)]
pub(crate) struct ConfirmationStart {
    call: CallIdentity,
    start: Arc<CallStart>,
    request: ConfirmationRequest,
    clamped: Vec<Clamp>,
    /// Resolves when the confirmation is stored.
    stored: PendingWrite<()>,
    superseded: Vec<SupersededConfirmation>,
    /// Whether a confirmation of the same call is already open.
    is_repeated: bool,
    /// Gives another delivery of the same call the answer that this one gets.
    answering: CallCompleter,
}

/// Requests a confirmation for a call and the calls that wait with it, or repeats the open one.
pub(crate) fn request(
    info: &ConversationInfo,
    candidate: CandidateCall,
    held: Vec<WaitingCall>,
    trail: &Trail,
    locked: &mut Locked,
    now: u64,
) -> Result<ConfirmationStart, AnsweredCall> {
    let Locked { policy, confirmations, .. } = locked;
    let mode = policy.mode();
    let open = confirmations.about(&candidate, now);
    let repeated = open.filter(|open| held.is_empty() && open.is_answerable(mode));
    let repeated = repeated.map(|open| open.request.clone());
    let is_repeated = repeated.is_some();
    let (request, stored, superseded) = match repeated {
        Some(request) => (request, PendingWrite::done(()), Vec::new()),
        None => {
            let Some(mut confirmation) = new_confirmation(info, &candidate, policy, now) else {
                let refusal = Refusal {
                    by: PolicyName::Confirmation,
                    failure: Box::new(Failure::new(ErrorType::Unavailable, NO_CHANCE)),
                    finality: Finality::Provisional,
                };
                let now = (&*policy, &*confirmations, now);
                return Err(refuse(info, candidate, refusal, trail, now));
            };
            confirmation.waiting.extend(held);
            let request = confirmation.request.clone();
            let stored = pending(info, &confirmation);
            let superseded = confirmations.request(confirmation, &candidate, mode);
            let superseded = supersede::take(info, superseded, &policy.scope, now);
            (request, info.store().put_confirmation(stored), superseded)
        }
    };
    let args = Arc::new(candidate.shown_args().clone());
    let start = info.call_start(&candidate.call, args, trail, policy, now);
    let content = candidate.content();
    let CandidateCall { call, clamped, .. } = candidate;
    let (answering, publishing) = CallWait::pending();
    confirmations.keep_publishing(&call.key, content, publishing);
    Ok(ConfirmationStart {
        call,
        start,
        request,
        clamped,
        stored,
        superseded,
        is_repeated,
        answering,
    })
}

fn new_confirmation(
    info: &ConversationInfo,
    candidate: &CandidateCall,
    policy: &PolicyState,
    now: u64,
) -> Option<OpenConfirmation> {
    let (entry, args) = (candidate.entry()?, candidate.args.as_ref().ok()?);
    let services = &info.services;
    let id = TokenId::random().ok()?;
    let ttl = entry.spec().confirmation.as_ref().and_then(|it| it.ttl_seconds);
    let ttl = ttl.unwrap_or(services.config.confirmation.ttl_seconds);
    let expires = now.saturating_add(ttl.saturating_mul(1000));
    let args_hash = ContentHash::of_value(args);
    let binding = info.binding(id.as_str(), entry, &args_hash, expires);
    let preview = candidate.preview(&services.platform);
    let request = ConfirmationRequest {
        token: services.signer.sign(&binding).as_str().to_owned(),
        expires,
        tool: entry.spec().tool_id.clone(),
        args: args.clone(),
        preview: preview.clone(),
    };
    Some(OpenConfirmation {
        id: id.as_str().to_owned(),
        preview,
        request,
        digest: candidate.digest,
        subject: subject::of_arguments(args),
        turn: policy.turn,
        asked_ms: now,
        spoken_answer: match policy.mode() {
            Mode::Voice => SpokenAnswer::Accepted,
            Mode::Text => SpokenAnswer::ClickOnly,
        },
        waiting: vec![WaitingCall::of(candidate)],
    })
}

/// Publishes a confirmation once it is stored, and returns the answer to its call.
pub(crate) async fn publish(
    core: &ConversationCore,
    start: ConfirmationStart,
) -> Arc<ToolResponse> {
    let ConfirmationStart {
        call,
        start,
        mut request,
        clamped,
        stored,
        superseded,
        is_repeated,
        answering,
    } = start;
    let info = &core.info;
    for gone in superseded {
        close_superseded(core, gone).await;
    }
    let failure = wait_until_stored(core, &call, &mut request, stored).await;
    let is_asked = failure.kind == ErrorType::ConfirmationRequired;
    if !is_asked && !is_repeated {
        withdraw(core, &request);
    }
    let answer = Arc::new(failed(failure, ResponseMeta { clamped, ..info.stamp(&call) }));
    let outcome = Outcome::refused_by(PolicyName::Confirmation.as_str());
    // A call whose confirmation was already open does not wait under its own key, so this answer is
    // stored as its final one.
    let recorded = match is_asked && is_repeated {
        true => info.store().refuse(start, outcome.clone(), answer.clone()),
        false => info.store().record_refusal(start, outcome.clone(), answer.clone()),
    };
    // Set before the person can answer, so that their answer comes after it.
    match is_asked && !is_repeated {
        true => core.lock().confirmations.published(&call.key, &answer),
        false => core.lock().confirmations.stop_waiting(&call.key),
    }
    answering.send(answer.clone());
    if is_asked && !is_repeated {
        info.publish(|| ConversationEvent::ConfirmationRequested(Box::new(request)));
    }
    info.publish_answered(call.entry.as_deref(), outcome, &answer);
    // If the record cannot be written now, the store retries it.
    let _ = recorded.await;
    answer
}

/// Waits until the confirmation is durable, and returns the failure for its call. Before that, an
/// engine may label its arguments.
async fn wait_until_stored(
    core: &ConversationCore,
    call: &CallIdentity,
    request: &mut ConfirmationRequest,
    stored: PendingWrite<()>,
) -> Failure {
    let described = describe(core, call, request).await;
    let stored = match described {
        Some(described) => stored.await.and(described.await),
        None => stored.await,
    };
    if stored.is_err() {
        return Failure::new(ErrorType::Unavailable, NOT_KEPT);
    }
    for gone in supersede_same(core, request) {
        close_superseded(core, gone).await;
    }
    waiting_failure(request.clone())
}

/// Supersedes the older confirmations that would commit the same thing as a stored one.
fn supersede_same(
    core: &ConversationCore,
    request: &ConfirmationRequest,
) -> Vec<SupersededConfirmation> {
    let Locked { confirmations, policy, .. } = &mut *core.lock();
    let confirmation = token::id_of(&request.token).and_then(|id| confirmations.find(id));
    let same = confirmation.map(|confirmation| confirmations.about_same(confirmation));
    let superseded = confirmations.supersede(same.unwrap_or_default());
    supersede::take(&core.info, superseded, &policy.scope, core.info.now())
}

/// Withdraws a confirmation that could not be stored.
fn withdraw(core: &ConversationCore, request: &ConfirmationRequest) {
    if let Some(id) = token::id_of(&request.token) {
        let Locked { confirmations, policy, .. } = &mut *core.lock();
        if let Some(confirmation) = confirmations.remove(id) {
            let waiting = confirmation.waiting.iter();
            waiting.for_each(|waiting| confirmations.stop_waiting(&waiting.key));
        }
        // The confirmation was not published, so nothing waits for this.
        let (now, record) = (core.info.now(), TakeRecord::Withdrawn);
        drop(core.info.store().take_confirmation(id, now, &policy.scope, record));
    }
}

pub(super) fn waiting_failure(request: ConfirmationRequest) -> Failure {
    let message = format!("the person has to approve this first: {}", request.preview);
    let mut failure = Failure::new(ErrorType::ConfirmationRequired, message);
    failure.confirmation_request = Some(request);
    failure
}
