//! Reads contacts out of a text: block by block, line by line, left to right.

mod contact;
mod dialling;
mod found;
mod links;
mod names;
mod ordinary;
mod pattern;
mod phones;

use aileron_capability::{Context, ToolResult, success};
use serde::Deserialize;
use serde_json::json;

use self::contact::grouped;
use self::found::{Found, Hit, Kind, Phone, unique};
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

fn phones<'a>(found: &[&'a Found]) -> Vec<&'a Phone> {
    let phone = |found: &'a Found| match found {
        Found::Phone(phone) => Some(phone),
        Found::Name(_) | Found::Email(_) | Found::Url(_) => None,
    };
    unique(found, Kind::Phone).into_iter().filter_map(phone).collect()
}

fn read_block(block: &str, args: &Args) -> Vec<Hit> {
    let lines = block.lines().enumerate();
    lines.flat_map(|(row, line)| read_line(line, row, args)).collect()
}

/// Links and addresses come first, so that their digits are not read as a phone number.
fn read_line(line: &str, row: usize, args: &Args) -> Vec<Hit> {
    let mut hits = links::find(line);
    let rest = masked(line, &hits, ' ');
    hits.extend(phones::find(&rest, args.default_country_code.as_deref()));
    hits.extend(names::find(line, &hits));
    hits.retain(|hit| args.kinds.contains(&hit.found.kind()));
    hits.sort_by_key(|hit| hit.place.start);
    hits.into_iter().map(|hit| Hit { row, ..hit }).collect()
}
