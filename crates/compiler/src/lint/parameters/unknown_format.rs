//! An unknown format.

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::parameters::site::Site;
use crate::parameters::words;
use crate::rule::rule;
use crate::suggest;

rule! {
    /// A `format` is not one of those that JSON Schema 2020-12 defines.
    ///
    /// ## Why
    /// Formats are checked at run time, but an unknown format is not checked: any value
    /// passes. Some providers refuse a declaration with formats they do not know.
    ///
    /// ## Example
    /// ```json
    /// { "type": "string", "format": "datetime" }
    /// ```
    ///
    /// ## Fix
    /// Use a format of the specification; here, `date-time`. For other forms, write a `pattern`.
    /// The sizes of numbers (`int32`, `double`) are not formats: write `minimum` and `maximum`.
    UNKNOWN_FORMAT, "AIL-A021", "unknown-format", Warning
}

const FORMATS: &[&str] = &[
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Formats of other specifications, and their equivalents in JSON Schema.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["int32", "int64", "uint32", "uint64"], "write `minimum` and `maximum` instead"),
    (&["float", "double", "decimal"], "remove it: every number may have a fraction"),
    (&["byte", "base64", "binary"], "write `\"contentEncoding\": \"base64\"` instead"),
    (&["string", "number", "integer", "boolean", "text"], "remove it: `type` says so"),
    (&["url"], "did you mean `uri`?"),
    (&["guid"], "did you mean `uuid`?"),
    (&["datetime", "timestamp", "iso8601"], "did you mean `date-time`?"),
    (&["ip"], "did you mean `ipv4` or `ipv6`?"),
];

/// Whether the specification defines this format.
pub(crate) fn is_known(format: &str) -> bool {
    FORMATS.contains(&format)
}

pub(crate) fn check(site: &Site<'_>, found: &mut Vec<Diagnostic>) {
    let Some(format) = site.get("format").and_then(Value::as_str) else { return };
    if is_known(format) {
        return;
    }
    let message = format!(
        "unknown format `{}` of {}: nothing will be checked",
        words::shorten(format),
        site.subject()
    );
    found.push(site.at_value(&UNKNOWN_FORMAT, "format", message).help(help(format)));
}

fn help(format: &str) -> String {
    let folded = format.to_lowercase();
    let elsewhere = ELSEWHERE.iter().find(|(names, _)| names.contains(&folded.as_str()));
    match elsewhere {
        Some((_, help)) => (*help).to_owned(),
        None => suggest::did_you_mean(&folded, FORMATS)
            .unwrap_or_else(|| "describe the form with `pattern`, or remove it".to_owned()),
    }
}
