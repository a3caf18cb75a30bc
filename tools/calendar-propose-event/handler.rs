//! Proposes times for an event and keeps a draft of each. Books nothing. The calendar finds and
//! ranks times.

use aileron_calendar::propose;
use aileron_capability::calendar::{ProposalRequest, WrittenHours};
use aileron_capability::{Context, ToolResult, success};
use serde::Deserialize;
use serde_json::json;

/// The title of an event without one.
const UNTITLED: &str = "Meeting";

#[derive(Debug, Deserialize)]
pub struct Args {
    attendees: Vec<String>,
    duration_minutes: u32,
    title: String,
    #[serde(default)]
    agenda: String,
    #[serde(default)]
    preferred_times: Vec<String>,
    not_before: Option<String>,
    within_days: u32,
    time_zone: Option<String>,
    utc_offset: Option<String>,
    working_hours: Option<WrittenHours>,
    max_slots: usize,
    video_link: bool,
}

impl From<Args> for ProposalRequest {
    fn from(args: Args) -> Self {
        Self {
            attendees: args.attendees,
            duration_minutes: args.duration_minutes,
            title: titled(&args.title).to_owned(),
            agenda: args.agenda,
            preferred_times: args.preferred_times,
            not_before: args.not_before,
            within_days: args.within_days,
            time_zone: args.time_zone,
            utc_offset: args.utc_offset,
            working_hours: args.working_hours,
            max_slots: args.max_slots,
            video_link: args.video_link,
        }
    }
}

fn titled(title: &str) -> &str {
    match title.trim() {
        "" => UNTITLED,
        title => title,
    }
}

/// Runs one call.
pub async fn execute(args: Args, context: Context) -> ToolResult {
    let request = ProposalRequest::from(args);
    let proposal = propose(context.calendar()?, context.caller(), &request, context.now()).await?;
    success(json!(proposal))
}
