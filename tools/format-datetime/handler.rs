//! Formats one moment at a fixed offset, in English, without a time zone database.

mod args;
mod clock;
mod date;
mod relative;

use aileron_capability::{Context, ToolResult, success};
use jiff::Timestamp;
use jiff::civil::DateTime;
use serde_json::json;

pub use self::args::Args;
use self::args::Style;

/// Runs one call.
pub async fn execute(args: Args, context: Context) -> ToolResult {
    let reference = args.relative_to.unwrap_or_else(|| now(&context));
    let local = args.utc_offset.local(args.value);
    success(json!({
        "text": text(&args, local, reference),
        "iso": args.utc_offset.rfc3339(args.value),
        "unix_ms": args.value.as_millisecond(),
        "weekday": date::weekday(local),
    }))
}

fn now(context: &Context) -> Timestamp {
    let now = i64::try_from(context.now()).ok();
    now.and_then(|ms| Timestamp::from_millisecond(ms).ok()).unwrap_or(Timestamp::MAX)
}

fn text(args: &Args, local: DateTime, reference: Timestamp) -> String {
    let clock = || clock::written(local, args.hour_cycle) + &args.zone();
    match args.style {
        Style::Iso => args.utc_offset.rfc3339(args.value),
        Style::Date => date::iso(local),
        Style::Time => clock(),
        Style::Short => format!("{}, {}", date::short(local), clock()),
        Style::Long => format!("{} at {}", date::long(local), clock()),
        Style::Spoken => {
            let this_year = args.utc_offset.local(reference).year();
            let (date, clock) = (date::spoken(local, this_year), clock::spoken(local));
            format!("{date} at {clock}{}", args.zone())
        }
        Style::Relative => relative::text(args.value, reference),
    }
}
