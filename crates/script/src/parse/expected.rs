//! The expectation after `->`: a word, then further conditions in any order.

use super::words::{json, quoted, word};
use crate::script::ExpectedResult;

pub(super) fn parse(text: &str) -> Result<ExpectedResult, String> {
    let (first, mut rest) = word(text);
    if first.is_empty() {
        return Err("expected an answer after `->`, found nothing".to_owned());
    }
    let mut expected = ExpectedResult { word: first.to_owned(), ..ExpectedResult::default() };
    while !rest.is_empty() {
        rest = further(&mut expected, rest)?;
    }
    Ok(expected)
}

/// Reads one further condition, and returns the rest of the text.
fn further<'a>(expected: &mut ExpectedResult, text: &'a str) -> Result<&'a str, String> {
    if text.starts_with('{') {
        let (part, rest) = json(text)?;
        expected.part = Some(part);
        return Ok(rest);
    }
    match word(text) {
        ("again", rest) => {
            expected.again = true;
            Ok(rest)
        }
        ("by", rest) => {
            let (policy, rest) = word(rest);
            expected.by = Some(policy.to_owned());
            Ok(rest)
        }
        ("says", rest) => {
            let (text, rest) = quoted(rest)?;
            expected.says.push(text);
            Ok(rest)
        }
        ("meta", rest) => {
            let (meta, rest) = json(rest)?;
            expected.meta = Some(meta);
            Ok(rest)
        }
        (other, _) => Err(format!("expected again, by, says, meta or {{...}}, found {other:?}")),
    }
}
