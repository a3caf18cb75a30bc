//! A schema that a target would refuse.

use super::loss_finding::diagnose_at;
use crate::declare::Loss;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// A target would refuse the tool's schema.
    ///
    /// ## Why
    /// One schema that a provider cannot take fails the whole request, and with it every
    /// other tool of the agent: an array without `items` at Gemini, a root that is not an
    /// object or has `anyOf` beside its properties at OpenAI and Anthropic, a keyword that
    /// the strict form forbids. There is no way to leave it out without changing what the
    /// schema means, so the build fails instead of the conversation.
    ///
    /// ## Example
    /// ```json
    /// { "ids": { "type": "array" } }
    /// ```
    /// "Gemini native refuses `items` at /properties/ids: an array must say what its `items`
    /// are"
    ///
    /// ## Fix
    /// Say what is missing, here `"items": { "type": "string" }`, or say it in another way.
    /// Where the target is not in use, name those that are: `[build] targets` in
    /// `aileron.toml`, or `--target`. A refusal of any other target is a note.
    TARGET_REFUSES, "AIL-P003", "target-refuses", Error
}

pub(crate) fn diagnose(schema: &Document, loss: &Loss) -> Diagnostic {
    diagnose_at(schema, &TARGET_REFUSES, loss)
        .help("write the schema in a way that the target takes, or name the targets in use: `[build] targets` in aileron.toml, or `--target`")
}
