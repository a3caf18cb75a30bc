//! Clamp: a mode's tighter limits reduce arguments instead of refusing them, and the answer lists
//! the changed arguments.

use aileron_contract::envelope::Clamp;
use aileron_contract::spec::ModeLimit;
use aileron_contract::{ContentHash, ErrorType};
use serde_json::{Number, Value, json};

use super::context::PolicyContext;
use super::result::PolicyResult;
use crate::candidate::CandidateCall;

pub(super) fn check(candidate: &mut CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    let Some(entry) = candidate.entry().cloned() else { return PolicyResult::PASS };
    let Some(limits) = entry.spec().mode_limits.get(&context.mode) else {
        return PolicyResult::PASS;
    };
    let Ok(args) = &mut candidate.args else { return PolicyResult::PASS };
    for (parameter, limit) in limits {
        let Some(value) = args.get(parameter) else { continue };
        if let Some(to) = clamped(value, limit) {
            let given = candidate.call.given.take();
            candidate.call.given = given.or_else(|| Some(ContentHash::of_value(args)));
            let Some(value) = args.get_mut(parameter) else { continue };
            let from = std::mem::replace(value, to.clone());
            candidate.clamped.push(Clamp { pointer: pointer(parameter), from, to });
        }
    }
    if candidate.clamped.is_empty() || entry.tool.accepts(args) {
        return PolicyResult::PASS;
    }
    let message = format!("what is left of the arguments in {} does not fit", context.mode);
    PolicyResult::refuse(ErrorType::Validation, message)
}

fn pointer(parameter: &str) -> String {
    format!("/{}", parameter.replace('~', "~0").replace('/', "~1"))
}

/// The value within the limit; `None` if it already is.
fn clamped(value: &Value, limit: &ModeLimit) -> Option<Value> {
    let to = match value {
        Value::Number(number) => clamped_number(number, limit)?,
        Value::String(text) => {
            let most = usize::try_from(limit.max_length?).ok()?;
            let (end, _) = text.char_indices().nth(most)?;
            json!(text.get(..end)?)
        }
        Value::Array(items) => clamped_items(items, limit),
        Value::Null | Value::Bool(_) | Value::Object(_) => return None,
    };
    (to != *value).then_some(to)
}

fn clamped_number(number: &Number, limit: &ModeLimit) -> Option<Value> {
    let found = number.as_f64()?;
    let to = limit.maximum.map_or(found, |most| found.min(most));
    let to = limit.minimum.map_or(to, |least| to.max(least));
    if to == found {
        return None;
    }
    let whole = number.is_i64() || number.is_u64();
    if whole && to.fract() == 0.0 { Some(json!(to as i64)) } else { Some(json!(to)) }
}

fn clamped_items(items: &[Value], limit: &ModeLimit) -> Value {
    let most =
        limit.max_items.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let allowed = items.iter().filter(|item| !limit.exclude.contains(item));
    allowed.take(most).cloned().collect()
}
