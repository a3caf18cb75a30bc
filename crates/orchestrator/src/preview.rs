//! The text that the person reads before they approve: the tool's template filled with the
//! arguments, or a short form of the call.
//!
//! Templates follow the compiler's lint: `{name}` is an argument, `{{` and `}}` are braces, and an
//! unmatched brace is literal. The model writes the arguments, so no argument may look like a part
//! of the template.

mod excerpt;

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use aileron_contract::ToolId;
use serde_json::Value;

use excerpt::Excerpt;

/// The maximum length of one value of a call without a template.
const MOST_OF_A_VALUE: usize = 200;

/// The maximum length of a value that a template names. The person approves it, so it is shown
/// whole if possible.
const MOST_OF_A_NAMED_VALUE: usize = 4000;

/// The maximum length of an argument's label, which is shown whole if possible.
const MOST_OF_A_MEANING: usize = 8000;

/// The maximum length of a preview, without named values and labels.
const MOST_OF_A_PREVIEW: usize = 1000;

/// Shown for an argument that the call does not have.
const NOT_GIVEN: &str = "(not given)";

/// Shown for an empty text.
const EMPTY: &str = "(empty)";

/// Shown for an empty list.
const NONE: &str = "(none)";

/// The property that gives the length of a value.
const LENGTH: &str = "length";

/// Labels of arguments, by name. An engine supplies them, and they are shown in place of the
/// arguments.
pub type ArgumentLabels = BTreeMap<String, String>;

/// A parsed preview template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview(Vec<TemplatePart>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplatePart {
    Text(String),
    /// The steps from the arguments to a value.
    Path(Vec<String>),
}

impl Preview {
    /// Parses a template. Every text is a template.
    pub fn parse(template: &str) -> Self {
        let mut preview = Self(Vec::new());
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, braces) = rest.split_at(at);
            preview.text(before);
            rest = preview.brace(braces);
        }
        preview.text(rest);
        preview
    }

    /// Reads the part that a brace begins, and returns the rest.
    fn brace<'a>(&mut self, text: &'a str) -> &'a str {
        let doubled = text.starts_with("{{") || text.starts_with("}}");
        if let Some((name, rest)) = placeholder(text).filter(|_| !doubled) {
            self.0.push(TemplatePart::Path(name.split('.').map(str::to_owned).collect()));
            return rest;
        }
        let (brace, rest) = text.split_at(1);
        self.text(brace);
        if doubled { &rest[1..] } else { rest }
    }

    fn text(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(TemplatePart::Text(before)) => before.push_str(text),
            _ if text.is_empty() => {}
            _ => self.0.push(TemplatePart::Text(text.to_owned())),
        }
    }

    /// The template filled with these arguments.
    pub fn render(&self, args: &Value) -> String {
        self.render_meant(args, &ArgumentLabels::new())
    }

    /// The template filled with these arguments, or with their labels.
    pub fn render_meant(&self, args: &Value, meanings: &ArgumentLabels) -> String {
        let mut pieces: Vec<FilledPart<'_>> =
            self.0.iter().map(|part| part.filled(args, meanings)).collect();
        unquote(&mut pieces);
        let values = pieces.iter().map(|piece| match piece {
            FilledPart::Value(value) => value.chars().count(),
            FilledPart::Text(_) | FilledPart::Nothing(_) => 0,
        });
        let mut whole = Excerpt::new(MOST_OF_A_PREVIEW + values.sum::<usize>());
        // A full preview accepts no more text and ends with an ellipsis.
        let _ = pieces.iter().try_for_each(|piece| match piece {
            FilledPart::Text(text) | FilledPart::Nothing(text) => whole.write_str(text),
            FilledPart::Value(value) => whole.append(value),
        });
        whole.finish()
    }
}

/// A part of a template with its value.
enum FilledPart<'a> {
    Text(&'a str),
    Value(String),
    /// The text shown for a missing value.
    Nothing(&'static str),
}

impl TemplatePart {
    fn filled<'a>(&'a self, args: &Value, meanings: &ArgumentLabels) -> FilledPart<'a> {
        match self {
            Self::Text(text) => FilledPart::Text(text),
            Self::Path(path) => match meant(path, meanings) {
                Some(meaning) => FilledPart::Value(spelled(meaning)),
                None => shown(args, path),
            },
        }
    }
}

/// Removes the quotes that a template puts around a missing value, so that the text shown for it is
/// not taken for a value.
fn unquote(pieces: &mut [FilledPart<'_>]) {
    for at in 1..pieces.len().saturating_sub(1) {
        let (before, [nothing, after, ..]) = pieces.split_at_mut(at) else { continue };
        let (Some(FilledPart::Text(before)), FilledPart::Nothing(_), FilledPart::Text(after)) =
            (before.last_mut(), nothing, after)
        else {
            continue;
        };
        if let (Some(begin), Some(end)) = (before.strip_suffix('"'), after.strip_prefix('"')) {
            (*before, *after) = (begin, end);
        }
    }
}

fn room(meanings: &ArgumentLabels) -> usize {
    let meant = meanings.values().map(|it| it.chars().count().min(MOST_OF_A_MEANING));
    MOST_OF_A_PREVIEW + meant.sum::<usize>()
}

fn meant<'a>(path: &[String], meanings: &'a ArgumentLabels) -> Option<&'a String> {
    match path {
        [name] => meanings.get(name),
        _ => None,
    }
}

fn spelled(meaning: &str) -> String {
    let mut value = Excerpt::new(MOST_OF_A_MEANING);
    // As above: a full preview ends with an ellipsis.
    let _ = value.write_str(meaning);
    value.isolated()
}

/// The name between the brace that the text begins with and its partner.
fn placeholder(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('{')?;
    let (name, rest) = inner.split_once('}')?;
    (!name.contains('{') && !name.trim().is_empty()).then_some((name, rest))
}

/// The preview of a call whose tool has no template: its name and its arguments as JSON, each
/// truncated separately, so that a long one does not displace the others.
pub fn of_call(tool: &ToolId, args: &Value) -> String {
    of_call_meant(tool, args, &ArgumentLabels::new())
}

/// The same, with labels in place of the arguments.
pub fn of_call_meant(tool: &ToolId, args: &Value, meanings: &ArgumentLabels) -> String {
    let mut whole = Excerpt::new(room(meanings));
    // As above: a full preview ends with an ellipsis.
    let _ = write_call(tool, args, meanings, &mut whole);
    whole.finish()
}

fn write_call(
    tool: &ToolId,
    args: &Value,
    meanings: &ArgumentLabels,
    out: &mut Excerpt,
) -> fmt::Result {
    write!(out, "{tool} ")?;
    let Value::Object(arguments) = args else { return out.append(&json(args)) };
    out.write_char('{')?;
    for (index, (name, value)) in arguments.iter().enumerate() {
        out.write_str(if index > 0 { "," } else { "" })?;
        out.append(&json(&Value::from(name.as_str())))?;
        out.write_char(':')?;
        out.append(&meanings.get(name).map_or_else(|| json(value), |it| spelled(it)))?;
    }
    out.write_char('}')
}

fn shown(args: &Value, path: &[String]) -> FilledPart<'static> {
    let whole = |write: &dyn Fn(&mut Excerpt) -> fmt::Result| {
        FilledPart::Value(excerpt(MOST_OF_A_NAMED_VALUE, write))
    };
    match find(args, path) {
        Lookup::Value(Value::String(text)) if text.is_empty() => FilledPart::Nothing(EMPTY),
        Lookup::Value(Value::Array(items)) if items.is_empty() => FilledPart::Nothing(NONE),
        Lookup::Value(Value::String(text)) => whole(&|out| write_text(text, out)),
        Lookup::Value(value) => whole(&|out| write!(out, "{value}")),
        Lookup::Length(length) => FilledPart::Value(length.to_string()),
        Lookup::Nothing => FilledPart::Nothing(NOT_GIVEN),
    }
}

fn json(value: &Value) -> String {
    excerpt(MOST_OF_A_VALUE, |out| write!(out, "{value}"))
}

/// Quotes are escaped, so that a text cannot end the quotes that a template puts around it.
fn write_text(text: &str, out: &mut Excerpt) -> fmt::Result {
    let mut pieces = text.split('"');
    out.write_str(pieces.next().unwrap_or_default())?;
    pieces.try_for_each(|piece| {
        out.write_str("\\\"")?;
        out.write_str(piece)
    })
}

fn excerpt(most: usize, write: impl FnOnce(&mut Excerpt) -> fmt::Result) -> String {
    let mut value = Excerpt::new(most);
    // As above: a full preview ends with an ellipsis.
    let _ = write(&mut value);
    value.isolated()
}

enum Lookup<'a> {
    Value(&'a Value),
    Length(usize),
    Nothing,
}

/// Follows a path. A property named `length` takes precedence over the length.
fn find<'a>(args: &'a Value, path: &[String]) -> Lookup<'a> {
    let Some((last, steps)) = path.split_last() else { return Lookup::Nothing };
    let Some(owner) = steps.iter().try_fold(args, |value, name| step(value, name)) else {
        return Lookup::Nothing;
    };
    match (step(owner, last), length(owner)) {
        (Some(value), _) => Lookup::Value(value),
        (None, Some(length)) if last == LENGTH && !steps.is_empty() => Lookup::Length(length),
        _ => Lookup::Nothing,
    }
}

fn step<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    match value {
        Value::Object(map) => map.get(name),
        Value::Array(items) => items.get(name.parse::<usize>().ok()?),
        _ => None,
    }
}

fn length(value: &Value) -> Option<usize> {
    match value {
        Value::String(text) => Some(text.chars().count()),
        Value::Array(items) => Some(items.len()),
        Value::Object(map) => Some(map.len()),
        _ => None,
    }
}

#[cfg(test)]
#[path = "preview_tests.rs"]
mod tests;
