//! The texts of a tool that a model may read, and the way back to their places.

use std::ops::Range;
use std::sync::Arc;

use serde_json::Value;

use super::hidden;
use crate::diagnostic::Diagnostic;
use crate::docs::Documentation;
use crate::document::{Document, join};
use crate::lint::expressions::literal;
use crate::rule::Rule;
use crate::source::Source;

/// A text.
pub(super) struct Passage<'a> {
    pub(super) text: &'a str,
    place: TextPosition<'a>,
}

enum TextPosition<'a> {
    File(&'a Arc<Source>),
    Key { document: &'a Document, trail: &'a Trail<'a> },
    Value { document: &'a Document, trail: &'a Trail<'a> },
}

/// The path to a value; formatted only for a finding.
enum Trail<'a> {
    Root,
    Field { above: &'a Trail<'a>, name: &'a str },
    Item { above: &'a Trail<'a>, index: usize },
}

impl Trail<'_> {
    fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Field { above, name } => join(&above.pointer(), name),
            Self::Item { above, index } => format!("{}/{index}", above.pointer()),
        }
    }
}

impl<'a> Passage<'a> {
    /// The whole text of a file, as it is written.
    pub(super) fn file(source: &'a Arc<Source>) -> Self {
        Self { text: &source.text, place: TextPosition::File(source) }
    }

    /// A finding about a part of the text.
    pub(super) fn finding(
        &self,
        rule: &'static Rule,
        part: Range<usize>,
        message: String,
    ) -> Diagnostic {
        match self.place {
            TextPosition::File(source) => Diagnostic::new(rule, source, message).at(part),
            TextPosition::Value { document, trail } => {
                let pointer = trail.pointer();
                let span = literal::span(document, &pointer, part);
                document.at_value(rule, &pointer, message).at(span)
            }
            TextPosition::Key { document, trail } => {
                let pointer = trail.pointer();
                let key = document.key_span(&pointer);
                let span = literal::inside(&document.source.text, key, part);
                document.at_key(rule, &pointer, message).at(span)
            }
        }
    }

    /// The name of the text in a message.
    pub(super) fn title(&self) -> String {
        match self.place {
            TextPosition::File(source) => {
                let name = source.path.rsplit('/').next().unwrap_or_default();
                format!("`{name}`")
            }
            TextPosition::Key { trail, .. } => {
                format!("the key at `{}`", visible(&trail.pointer()))
            }
            TextPosition::Value { trail, .. } => {
                format!("the text at `{}`", visible(&trail.pointer()))
            }
        }
    }
}

/// A text with its hidden characters spelled out, so that no message carries them on.
fn visible(text: &str) -> String {
    let shown = |c: char| match hidden::is_hidden(c) {
        true => c.escape_unicode().to_string(),
        false => c.to_string(),
    };
    text.chars().map(shown).collect()
}

/// Every key and every text of a JSON file, unescaped.
pub(super) fn of_json(document: &Document, see: &mut dyn FnMut(&Passage<'_>)) {
    visit(document, &Trail::Root, &document.value, see);
}

fn visit(document: &Document, trail: &Trail<'_>, value: &Value, see: &mut dyn FnMut(&Passage<'_>)) {
    match value {
        Value::String(text) => {
            see(&Passage { text, place: TextPosition::Value { document, trail } });
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                visit(document, &Trail::Item { above: trail, index }, item, see);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let trail = Trail::Field { above: trail, name };
                see(&Passage { text: name, place: TextPosition::Key { document, trail: &trail } });
                visit(document, &trail, field, see);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The files of a documentation, each once.
pub(super) fn of_documentation(documentation: &Documentation) -> Vec<Passage<'_>> {
    let other = documentation.summary_source.as_ref();
    let other = other.filter(|source| source.path != documentation.source.path);
    [&documentation.source].into_iter().chain(other).map(Passage::file).collect()
}
