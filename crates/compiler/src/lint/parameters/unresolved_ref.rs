//! A reference without a target.

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::parameters::reference::{self, UnresolvedReference};
use crate::parameters::site::subject;
use crate::parameters::survey::{Reference, Survey};
use crate::parameters::words;
use crate::rule::rule;
use crate::suggest;

rule! {
    /// A `$ref` points to a place of the schema that does not exist, or that is not a schema.
    ///
    /// ## Why
    /// A reference is replaced by the schema it points to. Without one there is nothing to check an
    /// argument against and nothing to tell a model. References count from the schema they are in:
    /// `#` is `parameters` (or `returns`), not the file.
    ///
    /// ## Example
    /// ```json
    /// { "$ref": "#/$defs/Filter", "$defs": { "Filters": { "type": "object" } } }
    /// ```
    ///
    /// ## Fix
    /// Correct the name, or add the missing schema under `$defs`. Characters that a URI may not
    /// hold are written with `%`: `#/$defs/List%3CItem%3E`.
    UNRESOLVED_REF, "AIL-A004", "unresolved-ref", Error
}

pub(crate) fn diagnose(
    document: &Document,
    survey: &Survey<'_>,
    reference: &Reference<'_>,
    lost: &UnresolvedReference,
) -> Diagnostic {
    let Reference { holder, keyword, text, .. } = reference;
    let what = match lost {
        UnresolvedReference::Malformed => "which is not a URI reference",
        UnresolvedReference::NoAnchor => "but the schema has no such `$anchor`",
        UnresolvedReference::NoSchema => "which is not a schema",
        UnresolvedReference::NoPointer | UnresolvedReference::Outside => "which does not exist",
    };
    let text = words::shorten(text);
    let message = format!("`{keyword}` of {} points to `{text}`, {what}", subject(holder));
    document
        .at_value(&UNRESOLVED_REF, &format!("{holder}/{keyword}"), message)
        .help(help(document, survey, reference, lost))
}

fn help(
    document: &Document,
    survey: &Survey<'_>,
    reference: &Reference<'_>,
    lost: &UnresolvedReference,
) -> String {
    let text = reference.text;
    if *lost == UnresolvedReference::Malformed {
        let encoded = reference::encode(text.strip_prefix('#').unwrap_or(text));
        return format!("write `{encoded}`, or choose a name of plain letters and digits");
    }
    if *lost == UnresolvedReference::NoAnchor {
        let names = survey.anchors.keys().map(|(_, name)| *name).take(MAX_CANDIDATES);
        return match suggest::closest(text.trim_start_matches('#'), names) {
            Some(name) => format!("did you mean `#{name}`?"),
            None => "add the `$anchor`, or point to a place: `#/$defs/name`".to_owned(),
        };
    }
    let root = survey.resources.first().map_or("", |root| &root.pointer);
    match closest(document, root, text) {
        Some(better) => format!("did you mean `{better}`?"),
        None => "add the schema under `$defs` and point to `#/$defs/name`".to_owned(),
    }
}

/// Maximum number of candidates for a suggestion.
const MAX_CANDIDATES: usize = 200;

/// The most similar reference to an existing definition.
pub(crate) fn closest(document: &Document, root: &str, text: &str) -> Option<String> {
    let name = text.rsplit(['/', '#']).next().unwrap_or_default();
    let holders = if text.contains("/properties/") {
        ["$defs", "definitions", "properties"].as_slice()
    } else {
        &["$defs", "definitions"]
    };
    holders.iter().find_map(|holder| {
        let held = document.get(&format!("{root}/{holder}")).and_then(Value::as_object)?;
        let names = held.keys().map(String::as_str).take(MAX_CANDIDATES);
        let best = suggest::closest(name, names)?;
        let step = best.replace('~', "~0").replace('/', "~1");
        Some(reference::encode(&format!("/{holder}/{step}")))
    })
}
