//! A keyword that does not apply to the types of its schema.

use serde_json::Value;

use super::unknown_format;
use crate::diagnostic::Diagnostic;
use crate::parameters::keyword::Keyword;
use crate::parameters::site::Site;
use crate::parameters::types::Types;
use crate::rule::rule;

rule! {
    /// A keyword has no effect at its position.
    ///
    /// ## Why
    /// Each keyword applies to one type: `maxLength` to strings, `maximum` to numbers. Beside
    /// another `type` it limits nothing, although its author intended a limit.
    /// The same holds for `then` and `else` without `if`, and for `minContains` and
    /// `maxContains` without `contains`.
    ///
    /// ## Example
    /// ```json
    /// { "type": "integer", "maxLength": 3 }
    /// ```
    ///
    /// ## Fix
    /// Use the keyword that limits this type (here, `maximum`), correct the `type`, or remove
    /// the keyword.
    KEYWORD_DOES_NOT_APPLY, "AIL-A003", "keyword-does-not-apply", Error
}

pub(crate) fn check(site: &Site<'_>, keyword: &Keyword, found: &mut Vec<Diagnostic>) {
    if let Some(needed) = keyword.needs.filter(|needed| site.get(needed).is_none()) {
        let message =
            format!("`{}` of {} has no effect without `{needed}`", keyword.name, site.subject());
        let help = format!("add `{needed}` or remove `{}`", keyword.name);
        found.push(site.at_key(&KEYWORD_DOES_NOT_APPLY, keyword.name, message).help(help));
    }
    let on = speaks_about(site, keyword);
    if on == Types::ANY {
        return;
    }
    if let Some(types) = Types::declared(site.schema).filter(|types| !types.overlaps(on)) {
        found.push(diagnose(site, keyword.name, on, types));
    }
}

/// A `format` speaks about strings once it is one that is known.
fn speaks_about(site: &Site<'_>, keyword: &Keyword) -> Types {
    let known_format = keyword.name == "format"
        && site.get("format").and_then(Value::as_str).is_some_and(unknown_format::is_known);
    if known_format { Types::STRING } else { keyword.on }
}

fn diagnose(site: &Site<'_>, name: &str, on: Types, types: Types) -> Diagnostic {
    let message = format!(
        "`{name}` of {} applies to {}, but its type is {}",
        site.subject(),
        on.names(),
        types.names()
    );
    let help = match counterpart(name, types) {
        Some(better) => format!("did you mean `{better}`?"),
        None => format!("remove `{name}` or correct the type"),
    };
    site.at_key(&KEYWORD_DOES_NOT_APPLY, name, message).help(help)
}

/// The keyword that does for these types what `name` does for others.
fn counterpart(name: &str, types: Types) -> Option<&'static str> {
    const SIZES: &[(Types, &str, &str)] = &[
        (Types::STRING, "minLength", "maxLength"),
        (Types::NUMBER, "minimum", "maximum"),
        (Types::ARRAY, "minItems", "maxItems"),
        (Types::OBJECT, "minProperties", "maxProperties"),
    ];
    let is_lower = SIZES.iter().any(|(_, lower, _)| *lower == name);
    let is_upper = SIZES.iter().any(|(_, _, upper)| *upper == name);
    let (_, lower, upper) = SIZES.iter().find(|(on, _, _)| on.overlaps(types))?;
    match (is_lower, is_upper) {
        (true, _) => Some(lower),
        (_, true) => Some(upper),
        _ => None,
    }
}
