//! Canonical JSON (RFC 8785): one text for one value, whatever order it was
//! written in and whichever map type `serde_json` was built with.
//!
//! One intended difference: an integer beyond 2^53 keeps all its digits. RFC 8785 would round it to
//! a double, and two different order numbers would then share one hash.

use serde_json::{Number, Value};

/// Writes the canonical text of a value.
pub fn to_string(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// Appends the canonical text of a value.
pub fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_text(text, out),
        Value::Array(items) => write_list(items, ('[', ']'), out, write),
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            if !entries.is_sorted_by(|(a, _), (b, _)| utf16_order(a, b).is_lt()) {
                entries.sort_unstable_by(|(a, _), (b, _)| utf16_order(a, b));
            }
            write_list(&entries, ('{', '}'), out, |(key, value), out| {
                write_text(key, out);
                out.push(':');
                write(value, out);
            });
        }
    }
}

fn write_list<T>(
    items: &[T],
    (open, close): (char, char),
    out: &mut String,
    each: impl Fn(&T, &mut String),
) {
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        each(item, out);
    }
    out.push(close);
}

/// Keys are ordered by UTF-16 code units, which differs from byte order past U+FFFF.
fn utf16_order(a: &str, b: &str) -> std::cmp::Ordering {
    if a.is_ascii() && b.is_ascii() {
        return a.cmp(b);
    }
    a.encode_utf16().cmp(b.encode_utf16())
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(needs_escape) {
        out.push_str(rest.get(..at).unwrap_or_default());
        write_escape(rest.as_bytes().get(at).copied().unwrap_or_default(), out);
        rest = rest.get(at + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    out.push('"');
}

fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

fn write_escape(byte: u8, out: &mut String) {
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        0x08 => out.push_str("\\b"),
        b'\t' => out.push_str("\\t"),
        b'\n' => out.push_str("\\n"),
        0x0c => out.push_str("\\f"),
        b'\r' => out.push_str("\\r"),
        other => out.push_str(&format!("\\u{other:04x}")),
    }
}

fn write_number(number: &Number, out: &mut String) {
    if number.is_i64() || number.is_u64() {
        out.push_str(&number.to_string());
    } else {
        write_double(number.as_f64().unwrap_or_default(), out);
    }
}

/// The shortest digits that read back as the same double, laid out as
/// ECMAScript lays them out.
fn write_double(value: f64, out: &mut String) {
    if value == 0.0 {
        return out.push('0');
    }
    if value < 0.0 {
        out.push('-');
    }
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = mantissa.replace('.', "");
    let point = exponent.parse::<i32>().unwrap_or_default() + 1;
    out.push_str(&layout(&digits, point));
}

/// Places the decimal point: `point` is how many digits stand before it.
fn layout(digits: &str, point: i32) -> String {
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    match point {
        p if p > 21 || p <= -6 => exponential(digits, p - 1),
        p if p <= 0 => format!("0.{}{digits}", "0".repeat(p.unsigned_abs() as usize)),
        p if p >= count => format!("{digits}{}", "0".repeat((p - count) as usize)),
        p => {
            let (whole, fraction) = digits.split_at(p as usize);
            format!("{whole}.{fraction}")
        }
    }
}

fn exponential(digits: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    let exponent = exponent.unsigned_abs();
    match digits.split_at(1) {
        (first, "") => format!("{first}e{sign}{exponent}"),
        (first, rest) => format!("{first}.{rest}e{sign}{exponent}"),
    }
}

#[cfg(test)]
#[path = "canonical_tests.rs"]
mod tests;
