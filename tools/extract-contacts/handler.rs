//! Reads contacts out of a text: block by block, line by line, left to right.

mod contact;
mod emails;
mod found;
mod names;
mod ordinary;
mod pattern;
mod phones;
mod urls;

use aileron_runtime::{Context, ToolResult, success};
use serde::Deserialize;
use serde_json::{Value, json};

use self::contact::grouped;
use self::found::{Found, Hit, Kind, unique};
use self::pattern::{Pattern, compiled, masked};

#[derive(Deserialize)]
pub struct Args {
    text: String,
    kinds: Vec<Kind>,
    default_country_code: Option<String>,
}

static BETWEEN_BLOCKS: Pattern = Pattern::new(|| compiled(r"\n\s*\n"));

/// Runs one call.
pub async fn execute(args: Args, _context: Context) -> ToolResult {
    let blocks = BETWEEN_BLOCKS.split(&args.text).map(|block| read_block(block, &args));
    let blocks: Vec<Vec<Hit>> = blocks.collect();
    let contacts: Vec<_> = blocks.iter().flat_map(|block| grouped(block)).collect();
    let found: Vec<&Found> = blocks.iter().flatten().map(|hit| &hit.found).collect();
    let values =
        |kind| -> Vec<&str> { unique(&found, kind).into_iter().map(Found::value).collect() };
    success(json!({
        "contacts": contacts,
        "names": values(Kind::Name),
        "emails": values(Kind::Email),
        "phones": phones(&found),
        "urls": values(Kind::Url),
    }))
}

fn phones(found: &[&Found]) -> Vec<Value> {
    let described = |phone: &Found| match phone {
        Found::Phone { raw, e164: Some(e164) } => json!({ "raw": raw, "e164": e164 }),
        other => json!({ "raw": other.value() }),
    };
    unique(found, Kind::Phone).into_iter().map(described).collect()
}

fn read_block(block: &str, args: &Args) -> Vec<Hit> {
    let lines = block.lines().enumerate();
    lines.flat_map(|(row, line)| read_line(line, row, args)).collect()
}

/// Links come first and numbers last, so that no part of one is taken for another.
fn read_line(line: &str, row: usize, args: &Args) -> Vec<Hit> {
    let mut hits = urls::find(line);
    hits.extend(emails::find(&masked(line, &hits, ' ')));
    let rest = masked(line, &hits, ' ');
    hits.extend(phones::find(&rest, args.default_country_code.as_deref()));
    hits.extend(names::find(line, &hits));
    hits.retain(|hit| args.kinds.contains(&hit.found.kind()));
    hits.sort_by_key(|hit| hit.place.start);
    hits.into_iter().map(|hit| Hit { row, ..hit }).collect()
}
