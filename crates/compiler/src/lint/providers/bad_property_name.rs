//! A parameter name that a target refuses.

use super::loss_finding::diagnose_at;
use crate::declare::Loss;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// A property has a name that a target refuses.
    ///
    /// ## Why
    /// JSON Schema takes any text as a name, providers do not: Gemini's native form wants a
    /// letter or `_` first, then letters, digits and `_`; Anthropic takes `.` and `-` too;
    /// both end at 64 characters. One wrong name fails the whole request.
    ///
    /// ## Example
    /// ```json
    /// { "properties": { "user-id": { "type": "string" } } }
    /// ```
    ///
    /// ## Fix
    /// Rename it, here to `user_id`, which every target takes; or leave the target out of
    /// the build.
    BAD_PROPERTY_NAME, "AIL-P006", "bad-property-name", Error
}

pub(crate) fn diagnose(schema: &Document, loss: &Loss) -> Diagnostic {
    let finding = diagnose_at(schema, &BAD_PROPERTY_NAME, loss);
    match portable(&loss.keyword) {
        Some(name) => finding.help(format!("rename it to `{name}`, which every target takes")),
        None => finding.help("rename it, or leave the target out"),
    }
}

/// A similar name that every target accepts.
fn portable(name: &str) -> Option<String> {
    let fold = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let folded: String = name.chars().map(fold).collect();
    let trimmed = folded.trim_matches('_').trim_start_matches(|c: char| c.is_ascii_digit());
    let portable: String = trimmed.trim_start_matches('_').chars().take(64).collect();
    (!portable.is_empty()).then_some(portable)
}
