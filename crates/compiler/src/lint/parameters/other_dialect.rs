//! A schema that declares another dialect.

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::parameters::site::Site;
use crate::parameters::words;
use crate::rule::{Severity, rule};

rule! {
    /// `$schema` declares another dialect of JSON Schema than 2020-12.
    ///
    /// ## Why
    /// Parameters are read as JSON Schema 2020-12, whatever they declare. Most keywords mean
    /// the same in every draft, so for an older draft this is a warning: the schema works, its
    /// first line names another draft. Keywords that did change are reported separately
    /// (`outdated-keyword`). One change has no keyword of its own: keywords beside a `$ref` are
    /// applied in 2020-12 and were ignored up to draft-07.
    ///
    /// A dialect that is not JSON Schema is an error, and so is an older one that only
    /// a part of the schema declares.
    ///
    /// ## Example
    /// ```json
    /// { "$schema": "http://json-schema.org/draft-07/schema#", "type": "object" }
    /// ```
    ///
    /// ## Fix
    /// Remove the line, or write `"$schema": "https://json-schema.org/draft/2020-12/schema"`.
    OTHER_DIALECT, "AIL-A013", "other-dialect", Warning
}

const OURS: &str = "https://json-schema.org/draft/2020-12/schema";

/// The older drafts, by address without scheme and fragment.
const OLDER: &[(&str, &str)] = &[
    ("json-schema.org/draft/2019-09/schema", "2019-09"),
    ("json-schema.org/draft-07/schema", "draft-07"),
    ("json-schema.org/draft-06/schema", "draft-06"),
    ("json-schema.org/draft-05/schema", "draft-05"),
    ("json-schema.org/draft-04/schema", "draft-04"),
    ("json-schema.org/draft-03/schema", "draft-03"),
    ("json-schema.org/schema", "an older draft"),
];

/// Checks the declaration of a whole schema.
pub(crate) fn check(site: &Site<'_>, found: &mut Vec<Diagnostic>) {
    let Some(declared) = declared(site) else { return };
    match older(declared) {
        Some(draft) => {
            let message = format!(
                "{} declares JSON Schema {draft}, but is compiled as 2020-12",
                site.subject()
            );
            let help = format!("remove the line, or write `\"$schema\": \"{OURS}\"`");
            found.push(site.at_value(&OTHER_DIALECT, "$schema", message).help(help));
        }
        None => found.push(unknown(site, declared)),
    }
}

/// Checks a declaration inside of a schema.
pub(crate) fn check_part(site: &Site<'_>, found: &mut Vec<Diagnostic>) {
    let Some(declared) = declared(site) else { return };
    let mut fault = match older(declared) {
        Some(draft) => {
            let message = format!(
                "{} declares JSON Schema {draft} for a part of the schema: expected one dialect for all of it",
                site.subject()
            );
            site.at_value(&OTHER_DIALECT, "$schema", message).help("remove the line")
        }
        None => unknown(site, declared),
    };
    fault.severity = Severity::Error;
    found.push(fault);
}

fn unknown(site: &Site<'_>, declared: &str) -> Diagnostic {
    let message = format!(
        "{} declares the dialect `{}`: expected JSON Schema 2020-12",
        site.subject(),
        words::shorten(declared)
    );
    let help = format!("remove the line, or write `\"$schema\": \"{OURS}\"`");
    let mut fault = site.at_value(&OTHER_DIALECT, "$schema", message).help(help);
    fault.severity = Severity::Error;
    fault
}

/// The declared dialect, where it is not ours.
fn declared<'a>(site: &Site<'a>) -> Option<&'a str> {
    let declared = site.get("$schema").and_then(Value::as_str)?;
    (declared.trim_end_matches('#') != OURS).then_some(declared)
}

fn older(declared: &str) -> Option<&'static str> {
    let address = declared.trim_end_matches('#');
    let address = address.strip_prefix("https://").or(address.strip_prefix("http://"))?;
    OLDER.iter().find(|(known, _)| *known == address).map(|(_, draft)| *draft)
}
