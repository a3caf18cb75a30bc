//! Extracts contacts from a text that the person gives.

use serde_json::{Value, json};

use super::say;
use crate::argument;
use crate::extract;
use crate::family::Family;
use crate::request;
use crate::schema::{Parameters, texts};
use crate::situation::Situation;
use crate::word::{fold, has, has_any};
use aileron_contract::model_input::ModelAction;

const NONE: &str = "I found no names, addresses, numbers or links in that text.";
const NOT_HERE: &str = "I cannot extract contacts here. It works in writing.";

const NOUNS: &[&str] = &[
    "contact",
    "contacts",
    "contact details",
    "email addresses",
    "emails",
    "phone numbers",
    "addresses",
];

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let first = situation.words.split(['\n', ':']).next().unwrap_or_default();
    let folded = fold(first);
    if !has_any(&folded, NOUNS) || request::is_question(&folded) {
        return None;
    }
    // "Find the contact of the printer" is a question, not a text.
    let text = text(&situation.words);
    let surely = has(&folded, "extract") || text.is_some();
    let Some(tool) = situation.tool(Family::Contacts) else { return surely.then(|| say(NOT_HERE)) };
    surely.then(|| {
        argument::call(tool, json!({ "text": text, "kinds": kinds(situation, tool, &folded) }))
    })
}

/// The text after the first colon or line, or in quotation marks.
fn text(words: &str) -> Option<String> {
    let quoted = extract::quoted(words).into_iter().next();
    let behind = words.split_once(['\n', ':']).map(|(_, text)| text.trim().to_owned());
    behind.filter(|text| !text.is_empty()).or(quoted)
}

/// Only those kinds that the words name.
fn kinds(
    situation: &Situation<'_>,
    tool: &aileron_contract::model_input::ToolDeclaration,
    folded: &str,
) -> Option<Value> {
    let parameters = Parameters::new(&tool.parameters);
    let items = parameters.one("kinds")?.get("items").map(|items| parameters.resolve(items))?;
    let named = texts(items).into_iter().filter(|kind| {
        has_any(
            folded,
            &[kind, &format!("{kind}s"), &format!("{kind} addresses"), &format!("{kind} numbers")],
        )
    });
    let named: Vec<&str> = named.collect();
    let all = situation.folded.contains(" contacts ") || named.is_empty();
    (!all).then(|| json!(named))
}

pub(crate) fn extracted(output: &Value) -> Vec<ModelAction> {
    let contacts = output.get("contacts").and_then(Value::as_array);
    let lines = contacts.into_iter().flatten().filter_map(|contact| {
        let fields = ["name", "email", "phone", "url"]
            .iter()
            .filter_map(|name| contact.get(*name)?.as_str());
        let line = fields.collect::<Vec<_>>().join(", ");
        (!line.is_empty()).then(|| format!("- {line}"))
    });
    let lines: Vec<String> = lines.collect();
    match lines.len() {
        0 => say(NONE),
        1 => say(format!("I found one contact:\n{}", lines.join("\n"))),
        count => say(format!("I found {count} contacts:\n{}", lines.join("\n"))),
    }
}
