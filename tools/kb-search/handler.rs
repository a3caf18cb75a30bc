//! Searches the knowledge base and shows each hit as evidence.

mod args;
mod evidence;

use aileron_capability::{CapabilityFault, Context, ToolError, ToolResult, success};
use aileron_contract::ErrorType;
use aileron_contract::kb::{DateRange, Ranking, SearchRequest, SearchResult};
use jiff::Timestamp;
use serde_json::json;

pub use self::args::Args;
use self::evidence::Evidence;

/// Runs one call.
pub async fn execute(args: Args, context: Context) -> ToolResult {
    context.require_active_session("search")?;
    require_ordered_dates(&args.filters.date_range)?;
    let fields = args.fields();
    let began = context.now();
    let found = search(args.request(&fields), &context).await;
    let SearchResult { hits, ranking, notes } =
        found.map_err(|fault| fault.while_reading("search the knowledge base"))?;
    let mut data = json!({
        "results": hits.iter().map(|hit| Evidence::of(hit, &fields)).collect::<Vec<_>>(),
        "query_time_ms": context.now().saturating_sub(began),
    });
    match ranking {
        Ranking::Words => data["ranking"] = json!(ranking),
        Ranking::Hybrid => {}
    }
    if !notes.is_empty() {
        data["notes"] = notes.iter().map(ToString::to_string).collect();
    }
    success(data)
}

async fn search(
    request: SearchRequest,
    context: &Context,
) -> Result<SearchResult, CapabilityFault> {
    context.kb()?.search(context.caller(), request).await
}

fn require_ordered_dates(range: &DateRange) -> Result<(), ToolError> {
    let start = range.start.as_deref().map(date).transpose()?;
    let end = range.end.as_deref().map(date).transpose()?;
    if start.zip(end).is_none_or(|(start, end)| start <= end) {
        return Ok(());
    }
    let message = "expected date_range.start before date_range.end, found it after";
    Err(ToolError::new(ErrorType::Permanent, message).suggest("swap the two dates"))
}

fn date(text: &str) -> Result<Timestamp, ToolError> {
    text.parse().map_err(|_| {
        let message = format!("expected an RFC 3339 date-time, found {text:?}");
        let suggestion = "write it like 2026-02-03T10:00:00+01:00";
        ToolError::new(ErrorType::Permanent, message).suggest(suggestion)
    })
}
