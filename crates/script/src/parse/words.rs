//! The tokens of a line: names, quoted texts, JSON, spans of time.

use serde_json::Value;

/// The first word and the rest.
pub(super) fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// A JSON value at the beginning, and the rest.
pub(super) fn json(text: &str) -> Result<(Value, &str), String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => {
            let rest = text.get(values.byte_offset()..).unwrap_or_default();
            Ok((value, rest.trim_start()))
        }
        Some(Err(error)) => Err(format!("expected JSON, found {text:?}: {error}")),
        None => Err("expected JSON, found the end of the line".to_owned()),
    }
}

/// A quoted text at the beginning, and the rest.
pub(super) fn quoted(text: &str) -> Result<(String, &str), String> {
    match json(text)? {
        (Value::String(found), rest) => Ok((found, rest)),
        (other, _) => Err(format!("expected a text in quotes, found {other}")),
    }
}

/// A quoted text with nothing after it.
pub(super) fn only_quoted(text: &str) -> Result<String, String> {
    let (found, rest) = quoted(text)?;
    if rest.is_empty() { Ok(found) } else { Err(format!("expected nothing more, found {rest:?}")) }
}

/// `300ms`, `61s`, `5m` or `2h` in milliseconds.
pub(super) fn span(text: &str) -> Result<u64, String> {
    let (digits, unit) = text.split_at(text.find(char::is_alphabetic).unwrap_or(text.len()));
    let number: u64 =
        digits.parse().map_err(|_| format!("expected a time such as 61s, found {text:?}"))?;
    match unit {
        "ms" => Ok(number),
        "s" => Ok(number * 1000),
        "m" => Ok(number * 60_000),
        "h" => Ok(number * 3_600_000),
        _ => Err(format!("expected ms, s, m or h, found {unit:?}")),
    }
}
