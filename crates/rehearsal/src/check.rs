//! Compares the expectations of a script with the run.

use aileron_contract::ToolResponse;
use aileron_runtime::cases::{Expect, differences};
use aileron_script::ExpectedResult;
use serde_json::{Value, json};

/// An expectation of a script that was not met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedExpectation {
    pub line: usize,
    pub expected: String,
    pub found: String,
}

impl FailedExpectation {
    pub fn new(line: usize, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { line, expected: expected.into(), found: found.into() }
    }

    /// Fails unless both are equal.
    pub fn unless_same(line: usize, expected: &str, found: &str) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self::new(line, expected, found)) }
    }
}

/// Compares an answer and the outcome in its record.
pub fn answer(
    expected: &ExpectedResult,
    found: &ToolResponse,
    outcome: Option<&str>,
) -> Result<(), FailedExpectation> {
    let fault =
        |wanted: String, found: String| Err(FailedExpectation::new(expected.line, wanted, found));
    let word = found.failure().map_or("ok", |failure| failure.kind.as_str());
    if word != expected.word {
        return fault(expected.word.clone(), json!(found).to_string());
    }
    if found.meta().replayed != expected.again {
        let words = ["an answer of its own", "an answer given again"];
        let said = |again: bool| words[usize::from(again)].to_owned();
        return fault(said(expected.again), said(found.meta().replayed));
    }
    let by = expected.by.as_ref().map(|policy| format!("refused:{policy}"));
    if let Some(by) = by.filter(|by| outcome != Some(by)) {
        return fault(by, outcome.unwrap_or("no record").to_owned());
    }
    if let Some(difference) = part(expected, found) {
        return fault("the part that the line shows".to_owned(), difference);
    }
    Ok(())
}

/// The first difference between the parts a line shows and the answer.
fn part(expected: &ExpectedResult, found: &ToolResponse) -> Option<String> {
    let message = found.failure().map_or("", |failure| &failure.message);
    if let Some(missing) = expected.says.iter().find(|text| !message.contains(*text)) {
        return Some(format!("{message:?}, which does not say {missing:?}"));
    }
    let expect = expected.part.clone().map(|part| match found {
        ToolResponse::Success { .. } => Expect::Success { data: Some(part), intents: None },
        ToolResponse::Failure { .. } => Expect::Failure { error: part },
    });
    let different = expect.map(|expect| differences(&expect, found)).unwrap_or_default();
    different.into_iter().next().or_else(|| meta(expected.meta.as_ref()?, &json!(found.meta())))
}

fn meta(expected: &Value, found: &Value) -> Option<String> {
    let different = expected.as_object()?.iter().find(|(name, value)| found[*name] != **value)?;
    Some(format!("meta.{} is {}", different.0, found[different.0]))
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
