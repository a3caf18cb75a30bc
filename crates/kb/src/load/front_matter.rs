//! Front matter: fields in YAML between two lines of `---` at the top of a Markdown file.
//!
//! The YAML is a subset that all parsers read alike: fields, lists, texts. Anchors, aliases and
//! tags are refused, so it cannot expand; a key may occur once. A plain value is a number only if
//! JSON would write it so: `007`, `1_000` and `no` are texts.

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};
use serde_json::{Map, Number, Value};

use super::RecordFlaw;
use super::draft::TEXT_FIELDS;
use crate::record::MAX_METADATA_BYTES;

/// Room for the largest metadata and everything beside it.
pub(super) const MAX_BYTES: usize = 4 * MAX_METADATA_BYTES;

const MAX_DEPTH: usize = 32;

/// Where the front matter of a file is and where its text begins.
#[derive(Debug)]
pub(super) struct FrontMatterSplit<'a> {
    pub(super) yaml: &'a str,
    pub(super) body: &'a str,
}

/// Splits the front matter, if there is one, from the text.
pub(super) fn part(text: &str) -> Result<FrontMatterSplit<'_>, RecordFlaw> {
    let Some((first, rest)) = text.split_once('\n') else {
        return Ok(FrontMatterSplit { yaml: "", body: text });
    };
    if !is_fence(first) {
        return Ok(FrontMatterSplit { yaml: "", body: text });
    }
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        if is_fence(line) {
            let (yaml, body) = (rest.get(..end), rest.get(end + line.len()..));
            return Ok(FrontMatterSplit {
                yaml: yaml.unwrap_or_default(),
                body: body.unwrap_or_default(),
            });
        }
        end += line.len();
    }
    let expected = "expected a line `---` that closes the front matter opened here";
    Err(RecordFlaw::at(
        1,
        format!("{expected}, found the end of the file; a rule at the top is written `***`"),
    ))
}

fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

/// The fields of the front matter, whose first line is the second of the file.
pub(super) fn fields(yaml: &str) -> Result<Map<String, Value>, RecordFlaw> {
    if yaml.len() > MAX_BYTES {
        return Err(RecordFlaw::too_large(1, "front matter", MAX_BYTES));
    }
    let mut builder = Builder { parser: Parser::new_from_str(yaml) };
    let root = builder.root()?;
    match root {
        Value::Null => Ok(Map::new()),
        Value::Object(fields) => Ok(fields),
        _ => Err(RecordFlaw::at(
            2,
            "expected fields such as `title: ...` in the front matter, found none",
        )),
    }
}

struct Builder<'a> {
    parser: Parser<'a, StrInput<'a>>,
}

/// Whether a plain value may be a number, or is always a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScalarMode {
    Any,
    Text,
}

impl<'a> Builder<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), RecordFlaw> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(broken(&error)),
            None => Err(RecordFlaw::at(2, "expected more front matter, found its end")),
        }
    }

    /// The one document; a second cannot be, as `---` ends the front matter.
    fn root(&mut self) -> Result<Value, RecordFlaw> {
        let mut root = Value::Null;
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(root),
                (Event::StreamStart | Event::DocumentStart(_) | Event::Nothing, _) => {}
                (Event::DocumentEnd, span) => self.only_the_end(span)?,
                (event, span) => root = self.value(event, span, ScalarMode::Any, 0)?,
            }
        }
    }

    fn only_the_end(&mut self, span: Span) -> Result<(), RecordFlaw> {
        match self.parser.peek() {
            Some(Ok((Event::StreamEnd, _))) | None => Ok(()),
            Some(Err(error)) => Err(broken(&error)),
            Some(Ok(_)) => Err(RecordFlaw::at(line(span), "expected one document, found a second")),
        }
    }

    fn value(
        &mut self,
        event: Event<'a>,
        span: Span,
        reading: ScalarMode,
        depth: usize,
    ) -> Result<Value, RecordFlaw> {
        let at = |reason: &str| RecordFlaw::at(line(span), reason);
        match event {
            Event::Scalar(_, _, anchor, ref tag) if anchor > 0 || tag.is_some() => {
                Err(at("expected a plain value, found an anchor or a tag: write the value in full"))
            }
            Event::SequenceStart(anchor, ref tag) | Event::MappingStart(anchor, ref tag)
                if anchor > 0 || tag.is_some() =>
            {
                Err(at("expected a plain list or map, found an anchor or a tag: write it in full"))
            }
            Event::Alias(_) => Err(at("expected a value, found an alias: write the value in full")),
            Event::Scalar(text, style, ..) => Ok(scalar(&text, style, reading)),
            Event::SequenceStart(..) | Event::MappingStart(..) if depth == MAX_DEPTH => {
                Err(at("expected front matter of few levels, found a deep one"))
            }
            Event::SequenceStart(..) => self.list(reading, depth + 1),
            Event::MappingStart(..) => self.map(depth + 1),
            _ => Err(at("expected a value, found none")),
        }
    }

    fn list(&mut self, reading: ScalarMode, depth: usize) -> Result<Value, RecordFlaw> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Value::Array(items)),
                (event, span) => items.push(self.value(event, span, reading, depth)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Value, RecordFlaw> {
        let mut map = Map::new();
        loop {
            let (event, span) = self.next()?;
            let key = match event {
                Event::MappingEnd => return Ok(Value::Object(map)),
                Event::Scalar(key, _, 0, None) => key.into_owned(),
                _ => {
                    return Err(RecordFlaw::at(
                        line(span),
                        "expected a word before the colon, found another key",
                    ));
                }
            };
            if map.contains_key(&key) {
                return Err(RecordFlaw::at(
                    line(span),
                    format!("expected every key once, found {key:?} twice"),
                ));
            }
            let is_text = depth == 1 && TEXT_FIELDS.contains(&key.as_str());
            let reading = if is_text { ScalarMode::Text } else { ScalarMode::Any };
            let (event, span) = self.next()?;
            map.insert(key, self.value(event, span, reading, depth)?);
        }
    }
}

fn scalar(text: &str, style: ScalarStyle, reading: ScalarMode) -> Value {
    match (style, text, reading) {
        (ScalarStyle::Plain, "" | "~" | "null", _) => Value::Null,
        (ScalarStyle::Plain, "true", ScalarMode::Any) => Value::Bool(true),
        (ScalarStyle::Plain, "false", ScalarMode::Any) => Value::Bool(false),
        (ScalarStyle::Plain, _, ScalarMode::Any) => {
            number(text).map_or_else(|| Value::from(text), Value::Number)
        }
        _ => Value::from(text),
    }
}

/// A number that JSON would write the same way. A number with too many digits to be exact is a
/// text.
fn number(text: &str) -> Option<Number> {
    let number = serde_json::from_str::<Number>(text).ok()?;
    let is_whole = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if is_whole && number.is_f64() { None } else { Some(number) }
}

/// Lines of the parser count from 1, and the front matter begins in the second line of the file.
fn line(span: Span) -> u64 {
    span.start.line() as u64 + 1
}

fn broken(error: &ScanError) -> RecordFlaw {
    let line = error.marker().line() as u64 + 1;
    RecordFlaw::at(line, format!("expected front matter in YAML, found a fault: {}", error.info()))
}

#[cfg(test)]
#[path = "front_matter_tests.rs"]
mod tests;
