//! Formats one moment at a fixed offset, in English, without a time zone database.

mod args;
mod clock;
mod date;
mod relative;

use aileron_capability::moment::{Local, Moment};
use aileron_capability::{Context, ToolResult, success};
use serde_json::json;

pub use self::args::Args;
use self::args::Style;

/// Runs one call.
pub async fn execute(args: Args, context: Context) -> ToolResult {
    let now = Moment::from_unix_ms(i64::try_from(context.now()).unwrap_or(i64::MAX));
    let reference = args.relative_to.unwrap_or(now);
    let local = args.value.at(args.utc_offset);
    success(json!({
        "text": text(&args, &local, reference),
        "iso": local.to_string(),
        "unix_ms": args.value.unix_ms(),
        "weekday": date::weekday(&local),
    }))
}

fn text(args: &Args, local: &Local, reference: Moment) -> String {
    let clock = || clock::written(local, args.hour_cycle) + &args.zone();
    match args.style {
        Style::Iso => local.to_string(),
        Style::Date => date::iso(local),
        Style::Time => clock(),
        Style::Short => format!("{}, {}", date::short(local), clock()),
        Style::Long => format!("{} at {}", date::long(local), clock()),
        Style::Spoken => {
            let this_year = reference.at(local.offset).year;
            let (date, clock) = (date::spoken(local, this_year), clock::spoken(local));
            format!("{date} at {clock}{}", args.zone())
        }
        Style::Relative => relative::text(args.value, reference),
    }
}
