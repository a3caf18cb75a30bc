//! The differences between a response and a case. Objects may have additional members, arrays may
//! not have additional items.

use aileron_contract::ToolResponse;
use serde_json::{Map, Number, Value, json};

use super::expect::Expect;

/// Maximum characters of a shown value.
const SHOWN: usize = 200;

/// Every difference, one line each with its JSON Pointer; none if the response is as expected.
pub fn differences(expect: &Expect, response: &ToolResponse) -> Vec<String> {
    let mut found = Vec::new();
    match (expect, response) {
        (Expect::Success { data, intents }, ToolResponse::Success { data: actual, .. }) => {
            if let Some(data) = data {
                compare("/data", data, actual, &mut found);
            }
            compare_intents(intents.as_ref().map(|it| json!(it)), response, &mut found);
        }
        (Expect::Failure { error }, ToolResponse::Failure { error: actual, .. }) => {
            compare("/error", error, &json!(actual), &mut found);
        }
        (Expect::Success { .. }, ToolResponse::Failure { error, .. }) => {
            found.push(format!("/ok: expected true, found the error {}", shown(&json!(error))));
        }
        (Expect::Failure { error }, ToolResponse::Success { data, .. }) => {
            let (error, data) = (shown(error), shown(data));
            found.push(format!("/ok: expected the error {error}, found the data {data}"));
        }
    }
    found
}

fn compare_intents(expected: Option<Value>, response: &ToolResponse, found: &mut Vec<String>) {
    let ToolResponse::Success { intents, .. } = response else {
        return;
    };
    let actual = json!(intents);
    if let Some(expected) = expected.filter(|expected| *expected != actual) {
        found.push(difference("/intents", &expected, &actual));
    }
}

fn compare(at: &str, expected: &Value, actual: &Value, found: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            compare_members(at, expected, actual, found);
        }
        (Value::Array(wanted), Value::Array(items)) if wanted.len() == items.len() => {
            for (index, (wanted, item)) in wanted.iter().zip(items).enumerate() {
                compare(&format!("{at}/{index}"), wanted, item, found);
            }
        }
        (Value::Array(wanted), Value::Array(items)) => {
            let (wanted, count) = (wanted.len(), items.len());
            found.push(format!("{at}: expected {wanted} items, found {count}: {}", shown(actual)));
        }
        (Value::Number(wanted), Value::Number(number)) if same_number(wanted, number) => {}
        _ if expected == actual => {}
        _ => found.push(difference(at, expected, actual)),
    }
}

fn compare_members(
    at: &str,
    expected: &Map<String, Value>,
    actual: &Map<String, Value>,
    found: &mut Vec<String>,
) {
    for (name, wanted) in expected {
        let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        match actual.get(name) {
            Some(value) => compare(&at, wanted, value, found),
            None => found.push(format!("{at}: expected {}, found nothing", shown(wanted))),
        }
    }
}

/// 1 and 1.0 are the same number.
fn same_number(expected: &Number, actual: &Number) -> bool {
    expected == actual || expected.as_f64() == actual.as_f64()
}

fn difference(at: &str, expected: &Value, actual: &Value) -> String {
    format!("{at}: expected {}, found {}", shown(expected), shown(actual))
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
#[path = "difference_tests.rs"]
mod tests;
