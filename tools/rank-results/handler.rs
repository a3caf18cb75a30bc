//! Ranks items by the weighted mean of their keys, each key scaled to 0..1 over the items given.

mod args;
mod scale;

use std::collections::HashSet;

use aileron_capability::{Context, ToolError, ToolResult, success};
use aileron_contract::ErrorType;
use serde_json::json;

pub use self::args::Args;
use self::args::Item;
use self::scale::Scale;

/// Runs one call.
pub async fn execute(args: Args, _context: Context) -> ToolResult {
    require_unique(args.items.iter().map(|item| item.id.as_str()), "item id")?;
    require_unique(args.keys.iter().map(|key| key.key.as_str()), "key")?;
    let scales = args.keys.iter().map(|key| Scale::of(key, &args.items));
    let scales: Vec<Scale<'_>> = scales.collect::<Result<_, _>>()?;
    let mut scored: Vec<_> =
        args.items.iter().map(|item| (score(item, &scales), item.id.as_str())).collect();
    // The sort is stable: equal items keep their order.
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let best = (1..).zip(scored).take(args.limit.unwrap_or(usize::MAX));
    let entry = |(rank, (score, id)): (u64, _)| json!({ "rank": rank, "id": id, "score": score });
    success(json!({ "ranked": best.map(entry).collect::<Vec<_>>() }))
}

/// Rounded, so that ties do not depend on the last bit.
fn score(item: &Item, scales: &[Scale<'_>]) -> f64 {
    let total: f64 = scales.iter().map(|scale| scale.weight).sum();
    let sum: f64 = scales.iter().map(|scale| scale.weight * scale.share(item)).sum();
    (sum / total * 1e6).round() / 1e6
}

fn require_unique<'a>(names: impl Iterator<Item = &'a str>, what: &str) -> Result<(), ToolError> {
    let mut seen = HashSet::new();
    let mut repeated = names.filter(|name| !seen.insert(*name));
    repeated.next().map_or(Ok(()), |name| {
        let message = format!("the {what} \"{name}\" appears twice");
        Err(refusal(message, format!("give each {what} once")))
    })
}

fn refusal(message: String, suggestion: impl Into<String>) -> ToolError {
    ToolError::new(ErrorType::Permanent, message).suggest(suggestion)
}
