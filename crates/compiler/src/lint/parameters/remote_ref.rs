//! A reference that leads out of the schema.

use super::unresolved_ref;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::parameters::site::subject;
use crate::parameters::survey::{Reference, Survey};
use crate::parameters::words;
use crate::rule::rule;

rule! {
    /// A `$ref` points to another file or to an address on the network.
    ///
    /// ## Why
    /// The registry contains everything a tool needs, and its hash covers all of it. A schema in
    /// another place can change while the hash stays the same, be missing, or belong to someone
    /// else. Nothing is fetched, neither at build time nor at run time, and no provider follows
    /// such references.
    ///
    /// ## Example
    /// ```json
    /// { "$ref": "https://example.com/schemas/address.json" }
    /// ```
    ///
    /// ## Fix
    /// Copy the schema under `$defs` and point there: `"$ref": "#/$defs/address"`.
    REMOTE_REF, "AIL-A005", "remote-ref", Error
}

pub(crate) fn diagnose(
    document: &Document,
    survey: &Survey<'_>,
    reference: &Reference<'_>,
) -> Diagnostic {
    let Reference { holder, keyword, text, .. } = reference;
    let message = format!(
        "`{keyword}` of {} points out of the schema, to `{}`",
        subject(holder),
        words::shorten(text)
    );
    let root = survey.resources.first().map_or("", |root| &root.pointer);
    let help = match unresolved_ref::closest(document, root, text) {
        Some(better) if !text.contains(':') => format!("did you mean `{better}`?"),
        _ => "copy the schema under `$defs` and point to `#/$defs/name`".to_owned(),
    };
    document.at_value(&REMOTE_REF, &format!("{holder}/{keyword}"), message).help(help)
}
