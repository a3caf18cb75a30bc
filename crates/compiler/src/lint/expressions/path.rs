//! Paths to parameters as people write them: `filters.tags`, `items[].name`.

use super::shape::{PlaceSchemas, SchemaStep};
use crate::suggest;

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Segment<'a> {
    Name(&'a str),
    /// `[]`, `[0]` or `[*]`.
    Items,
}

/// How a path may go through an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrays {
    /// `items[].name` and `items.name` alike.
    Implied,
    /// Only if stated explicitly.
    Stated,
}

/// The target of a path.
#[derive(Debug)]
pub(crate) enum Resolution<'a> {
    Found(PlaceSchemas<'a>),
    /// The schema leaves it open.
    Open,
    /// The step at `depth` does not exist; `candidates` do.
    Unknown {
        depth: usize,
        candidates: Vec<&'a str>,
    },
}

/// Splits a path; `None` if the text is not a path.
pub(crate) fn parse(text: &str) -> Option<Vec<Segment<'_>>> {
    let mut segments = Vec::new();
    for part in text.split('.') {
        let (name, mut brackets) = part.split_at(part.find('[').unwrap_or(part.len()));
        if !is_name(name) {
            return None;
        }
        segments.push(Segment::Name(name));
        while !brackets.is_empty() {
            let (inner, rest) = brackets.strip_prefix('[')?.split_once(']')?;
            if !(inner == "*" || inner.bytes().all(|b| b.is_ascii_digit())) {
                return None;
            }
            segments.push(Segment::Items);
            brackets = rest;
        }
    }
    Some(segments)
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '$'))
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'))
}

/// Follows a path from a place.
pub(crate) fn resolve<'a>(
    start: &PlaceSchemas<'a>,
    path: &[Segment<'_>],
    arrays: Arrays,
) -> Resolution<'a> {
    let mut shape = start.clone();
    for (depth, segment) in path.iter().enumerate() {
        match step(&shape, *segment, arrays) {
            SchemaStep::Known(next) => shape = next,
            SchemaStep::Anything => return Resolution::Open,
            SchemaStep::Nothing => {
                return Resolution::Unknown { depth, candidates: shape.names() };
            }
        }
    }
    Resolution::Found(shape)
}

fn step<'a>(shape: &PlaceSchemas<'a>, segment: Segment<'_>, arrays: Arrays) -> SchemaStep<'a> {
    let Segment::Name(name) = segment else { return shape.item(None) };
    match shape.property(name) {
        SchemaStep::Nothing if arrays == Arrays::Implied && shape.may_be("array") => {
            match shape.item(None) {
                SchemaStep::Known(items) => items.property(name),
                other => other,
            }
        }
        step => step,
    }
}

/// The most similar path, if the step at `depth` does not exist.
pub(crate) fn closest(path: &[Segment<'_>], depth: usize, candidates: &[&str]) -> Option<String> {
    let Some(Segment::Name(name)) = path.get(depth) else { return None };
    let best = suggest::closest(name, candidates.iter().copied())?;
    let mut better = path[..depth].to_vec();
    better.push(Segment::Name(best));
    Some(spelled(&better))
}

/// A path as it is written.
pub(crate) fn spelled(path: &[Segment<'_>]) -> String {
    let mut text = String::new();
    for segment in path {
        match segment {
            Segment::Name(name) if text.is_empty() => text.push_str(name),
            Segment::Name(name) => text.extend([".", name]),
            Segment::Items => text.push_str("[]"),
        }
    }
    text
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
