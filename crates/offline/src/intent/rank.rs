//! Things with a number each, put in order.

use serde_json::{Value, json};

use super::say;
use crate::argument;
use crate::extract;
use crate::family::Family;
use crate::situation::Situation;
use crate::word::{fold, has_any, number};
use aileron_contract::model_input::ModelAction;

const VERBS: &[&str] = &["rank", "sort", "order", "put in order"];
const LOW: &[&str] =
    &["lowest", "cheapest", "smallest", "least", "low", "ascending", "shortest", "lower", "fewest"];

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let tool = situation.tool(Family::Rank)?;
    let folded = fold(&situation.words);
    if !has_any(&folded, VERBS) {
        return None;
    }
    let key = key(&situation.words);
    let items: Vec<Value> = pairs(&situation.words)
        .into_iter()
        .map(|(name, value)| json!({ "id": name, "values": [{ "key": key, "number": value }] }))
        .collect();
    if items.len() < 2 {
        return None;
    }
    let prefer = if has_any(&folded, LOW) { "low" } else { "high" };
    let limit = limit(&folded).filter(|limit| *limit < items.len());
    Some(argument::call(
        tool,
        json!({ "items": items, "keys": [{ "key": key, "prefer": prefer }], "limit": limit }),
    ))
}

/// The name of the value that the items are ranked by.
fn key(words: &str) -> String {
    let named = extract::after(words, &["by"]).and_then(|rest| {
        rest.split(|letter: char| !letter.is_alphanumeric()).find(|word| !word.is_empty())
    });
    named.filter(|name| name.parse::<f64>().is_err()).unwrap_or("value").to_lowercase()
}

/// Each name with the number behind it.
fn pairs(words: &str) -> Vec<(String, f64)> {
    let list = words.split_once(':').map_or(words, |(_, list)| list);
    let parts = list.split([',', ';', '\n']).flat_map(|part| part.split(" and "));
    let mut pairs: Vec<(String, f64)> = Vec::new();
    for part in parts {
        let part = extract::after(part, &["rank", "sort", "order"]).unwrap_or(part);
        let Some(at) = part.find(|letter: char| letter.is_ascii_digit()) else { continue };
        let name =
            part[..at].trim().trim_end_matches(['=', ':', '(', '-', '$', '€']).trim().to_owned();
        let value = extract::numbers(&part[at..]).into_iter().next();
        let unique = !name.is_empty() && !pairs.iter().any(|(known, _)| *known == name);
        pairs.extend(value.filter(|_| unique).map(|value| (name, value)));
    }
    pairs
}

/// `the two cheapest`, `top 3`.
fn limit(folded: &str) -> Option<usize> {
    let words: Vec<&str> = folded.split_whitespace().collect();
    let count = words.windows(2).find_map(|two| match two {
        ["top" | "best", count] => number(count),
        [count, "cheapest" | "best" | "highest" | "lowest" | "smallest" | "largest"] => {
            number(count)
        }
        _ => None,
    });
    count.and_then(|count| usize::try_from(count).ok()).filter(|count| *count > 0)
}

pub(crate) fn ranked(output: &Value) -> Vec<ModelAction> {
    let items = output.get("ranked").and_then(Value::as_array);
    let names = items
        .into_iter()
        .flatten()
        .enumerate()
        .filter_map(|(at, item)| Some(format!("{}. {}", at + 1, item.get("id")?.as_str()?)));
    let names: Vec<String> = names.collect();
    say(format!("In order, best first:\n{}", names.join("\n")))
}
