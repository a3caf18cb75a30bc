//! A tighter mode limit.

use aileron_contract::spec::ModeLimit;
use aileron_contract::{Mode, ToolSpec};
use serde_json::Value;

use crate::breaking::promise::{PromiseBreach, promise};
use crate::breaking::schema::pair::say;
use crate::document::join;

promise! {
    /// An argument that reached the handler unchanged still does.
    ///
    /// ## Why
    /// `modeLimits` changes arguments before the handler runs. The call is not refused, and
    /// `meta.clamped` lists the change, so a minor step is enough; but the result may differ.
    ///
    /// ## Example
    /// ```json
    /// { "modeLimits": { "voice": { "top_k": { "maximum": 5 } } } }
    /// { "modeLimits": { "voice": { "top_k": { "maximum": 3 } } } }
    /// ```
    ///
    /// ## Fix
    /// Keep the limit, or raise the version.
    MODE_LIMIT_NO_TIGHTEN, "MODE_LIMIT_NO_TIGHTEN", "mode-limit-tightened", Minor
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    for (mode, limits) in &current.mode_limits {
        for (parameter, limit) in limits {
            if !had(previous, *mode, parameter) {
                continue;
            }
            let before = previous.mode_limits.get(mode).and_then(|limits| limits.get(parameter));
            let before = before.cloned().unwrap_or_default();
            for keyword in tightened(&before, limit) {
                let at = join(&join("/modeLimits", mode.as_str()), parameter);
                let (was, is) = (words(&before, keyword), words(limit, keyword));
                let message = format!("parameter `{parameter}` in {mode}: {was} became {is}");
                found.push(PromiseBreach::new(&PROMISE, join(&at, keyword), message));
            }
        }
    }
}

fn words(limit: &ModeLimit, keyword: &str) -> String {
    let fields = serde_json::to_value(limit).unwrap_or_default();
    say(keyword, fields.get(keyword))
}

/// Whether the parameter could be sent in that mode at all.
fn had(spec: &ToolSpec, mode: Mode, parameter: &str) -> bool {
    let named = |properties: &Value| properties.get(parameter).is_some();
    spec.allowed_modes.contains(mode) && spec.parameters.get("properties").is_some_and(named)
}

/// The keywords that became tighter.
fn tightened(before: &ModeLimit, after: &ModeLimit) -> Vec<&'static str> {
    let fewer = |before: Option<u64>, after: Option<u64>| {
        after.is_some_and(|after| before.is_none_or(|before| after < before))
    };
    let minimum =
        after.minimum.is_some_and(|after| before.minimum.is_none_or(|before| after > before));
    let maximum =
        after.maximum.is_some_and(|after| before.maximum.is_none_or(|before| after < before));
    let keywords = [
        ("minimum", minimum),
        ("maximum", maximum),
        ("maxLength", fewer(before.max_length, after.max_length)),
        ("maxItems", fewer(before.max_items, after.max_items)),
        ("exclude", after.exclude.iter().any(|value| !before.exclude.contains(value))),
    ];
    keywords.into_iter().filter(|(_, tighter)| *tighter).map(|(keyword, _)| keyword).collect()
}
