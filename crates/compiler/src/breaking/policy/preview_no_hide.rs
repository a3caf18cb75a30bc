//! An argument that the confirmation no longer shows.

use std::collections::BTreeSet;

use aileron_contract::ToolSpec;
use serde_json::Value;

use super::asking::ConfirmationNeed;
use crate::breaking::promise::{PromiseBreach, promise};
use crate::lint::expressions::preview;

promise! {
    /// An argument that the preview showed to the person is still shown.
    ///
    /// ## Why
    /// The person approves the preview. An argument that `confirmation.preview` omits can have
    /// any value, and the person approves it unseen. Without a preview all arguments are
    /// shown, so the first preview has to name them all.
    ///
    /// ## Example
    /// ```json
    /// { "confirmation": { "preview": "Send {amount} to {account}" } }
    /// { "confirmation": { "preview": "Send {amount}" } }
    /// ```
    ///
    /// ## Fix
    /// Name the argument in the preview.
    PREVIEW_NO_HIDE, "PREVIEW_NO_HIDE", "preview-hides", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    if ConfirmationNeed::of(previous) == ConfirmationNeed::Never
        || ConfirmationNeed::of(current) == ConfirmationNeed::Never
    {
        return;
    }
    let (before, after) = (shown(previous), shown(current));
    let is_there = |name: &&&str| parameters(current).contains(**name);
    for name in before.difference(&after).filter(is_there) {
        let message = format!("the preview showed `{name}` and shows it no longer");
        found.push(PromiseBreach::new(&PROMISE, preview::POINTER, message));
    }
}

/// The parameters whose values the person sees.
fn shown(spec: &ToolSpec) -> BTreeSet<&str> {
    let template = spec.confirmation.as_ref().and_then(|asked| asked.preview.as_deref());
    let Some(template) = template else { return parameters(spec) };
    let names = preview::parse(template).placeholders.into_iter().map(|shown| shown.name.trim());
    // A placeholder for the size does not show the value.
    let whole = names.filter(|name| !name.ends_with(".length"));
    whole.filter_map(|name| name.split(['.', '[']).next()).collect()
}

fn parameters(spec: &ToolSpec) -> BTreeSet<&str> {
    let properties = spec.parameters.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}
