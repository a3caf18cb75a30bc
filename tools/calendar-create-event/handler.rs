//! Commits one draft, exactly as proposed. The calendar ensures that it happens once and only while
//! the time is free; if the time was taken, the result has other times.

use aileron_calendar::propose;
use aileron_capability::calendar::{
    CreateEvent, CreatedEvent, DraftRequest, EventDraft, Invitations, ProposalRequest,
};
use aileron_capability::{CapabilityFault, FaultCode};
use aileron_capability::{Context, ToolError, ToolResult, success};
use aileron_contract::ErrorType;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

const AGAIN: &str =
    "call again with the same draft: an event that was made is found, never made twice";
const PROPOSE: &str = "propose again and use an id from the result";
const CHOOSE: &str = "let the person choose one of the proposals and create that draft";

#[derive(Debug, Deserialize)]
pub struct Args {
    event_draft_id: String,
}

/// Runs one call.
pub async fn execute(args: Args, context: Context) -> ToolResult {
    context.require_active_session("create the event")?;
    let calendar = context.calendar()?;
    let id = args.event_draft_id;
    let kept = calendar.draft(context.caller(), DraftRequest { id: id.clone() }).await;
    let kept = kept.map_err(|fault| fault.while_reading("read the draft"))?;
    let draft = open_draft(kept.as_ref(), &id, &context)?;
    let request = CreateEvent {
        draft: kept.unwrap_or_default(),
        idempotency_key: context.caller().idempotency_key.to_string(),
    };
    match calendar.create_event(context.caller(), request).await {
        Ok(event) => {
            if !event.existed {
                let made = json!({ "draftId": id, "eventId": event.id });
                context.note("calendar_event_created", made)?;
            }
            success(created(event, draft, calendar.invitations()))
        }
        Err(fault) if fault.code == FaultCode::Conflict => Err(taken(fault, draft, &context).await),
        Err(fault) => Err(failed(fault)),
    }
}

/// The draft, if it may still be committed. For a draft whose creation was started before, the
/// calendar checks whether its event exists.
fn open_draft(kept: Option<&Value>, id: &str, context: &Context) -> Result<EventDraft, ToolError> {
    let unknown = || refusal(ErrorType::Permanent, format!("no draft with the id {id:?}"), PROPOSE);
    let draft = EventDraft::deserialize(kept.ok_or_else(unknown)?);
    let draft =
        draft.map_err(|error| ToolError::defect(format!("a draft cannot be read: {error}")))?;
    if draft.event_id.is_some() {
        return Ok(draft);
    }
    let now = i64::try_from(context.now()).unwrap_or(i64::MAX);
    let passed =
        |time: &str| time.parse::<Timestamp>().is_ok_and(|time| time.as_millisecond() <= now);
    if passed(&draft.expires) {
        return Err(unknown());
    }
    if passed(&draft.start) {
        let message = "the time of this draft has passed".to_owned();
        return Err(refusal(ErrorType::Conflict, message, PROPOSE));
    }
    Ok(draft)
}

fn created(event: CreatedEvent, draft: EventDraft, invitations: Invitations) -> Value {
    let mut data = json!({
        "event_id": event.id,
        "title": draft.title,
        "start": draft.start,
        "end": draft.end,
        "attendees": draft.attendees,
        "already_existed": event.existed,
        "invitations": invitations,
    });
    if event.changed {
        data["changed_since"] = true.into();
    }
    if let Some(url) = event.url {
        data["url"] = url.into();
    }
    if let Some(join_url) = event.join_url {
        data["join_url"] = join_url.into();
    }
    data
}

/// The time was taken. Searches again with the request of the draft.
async fn taken(fault: CapabilityFault, draft: EventDraft, context: &Context) -> ToolError {
    let error = match &fault.left_behind {
        Some(left) => {
            let message = format!("{fault}; {left}");
            ToolError::new(ErrorType::Conflict, message).with_partial_side_effects()
        }
        None => ToolError::new(ErrorType::Conflict, fault.message),
    };
    let error = error.retryable(false);
    let Some(search) = draft.search else { return error.suggest("propose again") };
    match fresh(&search, context).await {
        Ok(slots) => error.suggest(CHOOSE).with_details(json!({ "proposals": slots })),
        Err(_) => error.suggest("propose again"),
    }
}

async fn fresh(search: &ProposalRequest, context: &Context) -> Result<Value, ToolError> {
    let found = propose(context.calendar()?, context.caller(), search, context.now()).await?;
    Ok(json!(found.slots))
}

fn failed(fault: CapabilityFault) -> ToolError {
    let left_open = fault.code == FaultCode::Timeout;
    let error = fault.while_writing("create the event");
    if left_open { error.suggest(AGAIN) } else { error }
}

fn refusal(kind: ErrorType, message: String, suggestion: &str) -> ToolError {
    ToolError::new(kind, message).retryable(false).suggest(suggestion)
}
