//! One rule for each field of a record: its form, and the fault of a value that breaks it.

use aileron_contract::canonical;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::{Map, Value};
use url::Url;

pub const MAX_ID_CHARS: usize = 200;
pub const MAX_TYPE_CHARS: usize = 64;
pub const MAX_TITLE_CHARS: usize = 500;
pub const MAX_TEXT_BYTES: usize = 4 << 20;
pub const MAX_TAG_CHARS: usize = 64;
pub const MAX_TAGS: usize = 100;
pub const MAX_SOURCE_TYPE_CHARS: usize = 64;
pub const MAX_URL_BYTES: usize = 2048;
pub const MAX_METADATA_BYTES: usize = 64 << 10;

/// How much of a wrong value a message repeats.
const QUOTED_CHARS: usize = 60;

type Check = Result<(), String>;

/// `<type>:<name>`, the name of letters and digits of any script, `_`, `-` and `.`.
pub(super) fn id(id: &str, kind: &str) -> Check {
    let Some((prefix, name)) = id.split_once(':') else {
        return Err(format!(
            "expected <type>:<name> such as {kind}:some_name, found {}",
            quote(id)
        ));
    };
    if prefix != kind {
        let found = quote(prefix);
        return Err(format!("expected the type {kind:?} before the colon, found {found}"));
    }
    if name.is_empty() || !name.chars().all(is_name_char) {
        let rule = "expected a name of letters, digits, `_`, `-` and `.` after the colon";
        return Err(format!("{rule}, found {}", quote(name)));
    }
    at_most(MAX_ID_CHARS, "characters", id.chars().count())
}

pub(crate) fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

pub(super) fn kind(kind: &str) -> Check {
    if !is_type(kind) {
        let rule = "expected a lower-case word such as person (letters a to z, digits, `_`)";
        return Err(format!("{rule}, found {}", quote(kind)));
    }
    at_most(MAX_TYPE_CHARS, "characters", kind.len())
}

/// Whether a word may be a type: `[a-z][a-z0-9_]*`.
pub(crate) fn is_type(word: &str) -> bool {
    let later = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    word.starts_with(|c: char| c.is_ascii_lowercase()) && word.bytes().all(later)
}

pub(super) fn title(title: &str) -> Check {
    if title.trim().is_empty() {
        return Err("expected a title, found none".to_owned());
    }
    at_most(MAX_TITLE_CHARS, "characters", title.chars().count())
}

/// A text may be empty: a record always has a title to be found by.
pub(super) fn text(text: &str) -> Check {
    at_most(MAX_TEXT_BYTES, "bytes", text.len())
}

pub(super) fn tags(tags: &[String]) -> Check {
    at_most(MAX_TAGS, "tags", tags.len())?;
    for (index, tag) in tags.iter().enumerate() {
        if tag.is_empty() || tag.trim() != tag {
            return Err(format!("expected words without space around them, found {}", quote(tag)));
        }
        at_most(MAX_TAG_CHARS, "characters in a tag", tag.chars().count())?;
        if tags.iter().take(index).any(|earlier| earlier == tag) {
            return Err(format!("expected every tag once, found {} twice", quote(tag)));
        }
    }
    Ok(())
}

pub(super) fn source_type(word: &str) -> Check {
    if word.is_empty() || !word.chars().all(is_name_char) {
        return Err(format!("expected a word such as wiki, found {}", quote(word)));
    }
    at_most(MAX_SOURCE_TYPE_CHARS, "characters", word.chars().count())
}

pub(super) fn last_updated(text: &str) -> Check {
    if is_time_shaped(text) && text.parse::<Timestamp>().is_ok() {
        return Ok(());
    }
    let rule = "expected a date or a time with an offset such as 2026-01-10T09:30:00Z";
    Err(format!("{rule}, found {}", quote(text)))
}

/// `2026-01-10`, and such a day exists.
pub(crate) fn is_date(text: &str) -> bool {
    has_shape(text.as_bytes(), b"0000-00-00") && text.parse::<Date>().is_ok()
}

/// The layout of RFC 3339, which is stricter than the parser of times.
fn is_time_shaped(text: &str) -> bool {
    let Some((time, rest)) = text.as_bytes().split_at_checked(19) else { return false };
    let offset = match rest.split_first() {
        Some((b'.', after)) => {
            let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 { &[][..] } else { after.get(digits..).unwrap_or_default() }
        }
        _ => rest,
    };
    let is_offset = offset == b"Z" || has_shape(offset, b"+00:00") || has_shape(offset, b"-00:00");
    has_shape(time, b"0000-00-00T00:00:00") && is_offset
}

/// Whether a text has the form of a pattern: a digit where the pattern has one, the same byte
/// elsewhere.
fn has_shape(bytes: &[u8], shape: &[u8]) -> bool {
    let fits = |(byte, like): (&u8, &u8)| match like {
        b'0' => byte.is_ascii_digit(),
        other => byte == other,
    };
    bytes.len() == shape.len() && bytes.iter().zip(shape).all(fits)
}

pub(super) fn url(text: &str) -> Check {
    at_most(MAX_URL_BYTES, "bytes", text.len())?;
    // The parser ignores white space and control characters, but the link is stored unchanged, so
    // they are refused.
    let is_clean = !text.chars().any(|c| c.is_whitespace() || c.is_control());
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    let names_host = text.split_once("://").is_some_and(|(_, rest)| !rest.starts_with(['/', '\\']));
    if is_clean && names_host && Url::parse(text).is_ok_and(|url| is_web(&url)) {
        return Ok(());
    }
    Err(format!("expected a whole http or https address, found {}", quote(text)))
}

pub(super) fn metadata(metadata: &Map<String, Value>) -> Check {
    if metadata.is_empty() {
        return Ok(());
    }
    let bytes = canonical::to_string(&Value::Object(metadata.clone())).len();
    at_most(MAX_METADATA_BYTES, "bytes of JSON", bytes)
}

fn at_most(limit: usize, unit: &str, found: usize) -> Check {
    if found <= limit {
        Ok(())
    } else {
        Err(format!("expected at most {limit} {unit}, found {found}"))
    }
}

/// A value for a message: escaped, and not all of a long one.
pub(crate) fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARS) {
        Some((end, _)) => format!("{:?}...", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}
