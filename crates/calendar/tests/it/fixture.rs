//! The fixture of the tests: a caller, a calendar over any backend, a draft in it.

use std::path::Path;
use std::sync::Arc;

use aileron_calendar::{Backend, CalendarEngine, Drafts, Folder, LinkSource};
use aileron_capability::ManualClock;
use aileron_capability::calendar::{CreateEvent, CreatedEvent, Preferences, SaveDrafts, Zone};
use aileron_capability::{Calendar, Caller, CapabilityFault};
use aileron_contract::{CallId, ConversationId, Mode, ToolId};
use serde_json::{Value, json};

/// 2026-02-03T10:00:00Z.
pub(crate) const NOW_MS: u64 = 1_770_112_800_000;

pub(crate) fn caller(conversation: &str) -> Caller {
    Caller {
        conversation: ConversationId::new(conversation).unwrap(),
        user: None,
        scopes: [].into(),
        mode: Mode::Text,
        tool: ToolId::new("calendar_create_event").unwrap(),
        call_id: CallId::new("call").unwrap(),
        idempotency_key: "key".into(),
    }
}

pub(crate) fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::at(NOW_MS))
}

pub(crate) fn over(folder: &Path, backend: Arc<dyn Backend>, link: LinkSource) -> CalendarEngine {
    let drafts = Drafts::at(&folder.join("drafts.db"));
    CalendarEngine::new(backend, drafts, link, Preferences::default(), clock())
}

pub(crate) fn files(folder: &Path, link: LinkSource) -> CalendarEngine {
    over(folder, Arc::new(Folder::at(folder, Zone::default(), None)), link)
}

/// A draft of one hour that begins at this hour of the 5th.
pub(crate) fn draft(id: &str, hour: u32) -> Value {
    json!({
        "id": id, "title": "Kick-off", "agenda": "Scope",
        "start": format!("2026-02-05T{hour:02}:00:00Z"),
        "end": format!("2026-02-05T{:02}:00:00Z", hour + 1),
        "attendees": ["mira@example.com", "jon@example.com"],
        "busy": [], "video_link": true, "expires": "2026-02-04T10:00:00Z",
    })
}

pub(crate) async fn save(calendar: &dyn Calendar, draft: Value) -> Result<(), CapabilityFault> {
    calendar.save_drafts(&caller("c"), SaveDrafts { drafts: vec![draft] }).await
}

pub(crate) async fn create(
    calendar: &dyn Calendar,
    id: &str,
    key: &str,
) -> Result<CreatedEvent, CapabilityFault> {
    let request = CreateEvent { draft: json!({ "id": id }), idempotency_key: key.to_owned() };
    calendar.create_event(&caller("c"), request).await
}
