//! A parameter that a preview shows and the tool does not have.

use super::literal;
use super::path::{self, Arrays, Resolution, Segment};
use super::preview::{POINTER, Placeholder};
use super::shape::PlaceSchemas;
use super::subject::Subject;
use crate::diagnostic::Diagnostic;
use crate::rule::rule;

rule! {
    /// A preview shows a parameter that does not exist.
    ///
    /// ## Why
    /// The person reads `confirmation.preview` before they approve. An unknown name leaves a
    /// gap where the decisive word should be. `{title}` is a parameter,
    /// `{filters.type}` a property of one, `{attendees.length}` the size of an array, a text or
    /// an object.
    ///
    /// ## Example
    /// ```json
    /// {
    ///   "confirmation": { "preview": "Create \"{titel}\"" },
    ///   "parameters": { "type": "object", "properties": { "title": { "type": "string" } } }
    /// }
    /// ```
    ///
    /// ## Fix
    /// Write the name as `parameters` spell it; write `{{` and `}}` for braces.
    UNKNOWN_PARAMETER_IN_PREVIEW, "AIL-X004", "unknown-parameter-in-preview", Error
}

/// The property for a size.
const LENGTH: &str = "length";

pub(crate) fn check(
    subject: &Subject<'_>,
    placeholder: &Placeholder<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let Some(parameters) = &subject.parameters else { return };
    let Some(help) = missing(parameters, placeholder.name) else { return };
    let message =
        format!("`confirmation.preview` shows `{{{}}}`, which is no parameter", placeholder.name);
    let place = literal::span(subject.schema, POINTER, placeholder.place.clone());
    let finding =
        subject.schema.at_value(&UNKNOWN_PARAMETER_IN_PREVIEW, POINTER, message).at(place);
    found.push(finding.help(help));
}

/// The help for an unknown name.
fn missing(parameters: &PlaceSchemas<'_>, name: &str) -> Option<String> {
    let steps: Option<Vec<_>> = name.split('.').map(plain).collect();
    let Some(steps) = steps else {
        return Some(instead(&[Segment::Name(name.trim())], 0, &parameters.names()));
    };
    match path::resolve(parameters, &steps, Arrays::Stated) {
        Resolution::Found(_) | Resolution::Open => None,
        Resolution::Unknown { depth, mut candidates } => {
            if has_length(parameters, &steps[..depth]) {
                candidates.push(LENGTH);
            }
            let sized = steps[depth..] == [Segment::Name(LENGTH)] && candidates.contains(&LENGTH);
            (!sized).then(|| instead(&steps, depth, &candidates))
        }
    }
}

fn plain(step: &str) -> Option<Segment<'_>> {
    (!step.is_empty() && step.trim() == step).then_some(Segment::Name(step))
}

/// Whether a value has a size.
fn has_length(parameters: &PlaceSchemas<'_>, owner: &[Segment<'_>]) -> bool {
    match path::resolve(parameters, owner, Arrays::Stated) {
        Resolution::Found(shape) if !owner.is_empty() => {
            ["array", "string", "object"].iter().any(|kind| shape.may_be(kind))
        }
        _ => false,
    }
}

fn instead(steps: &[Segment<'_>], depth: usize, candidates: &[&str]) -> String {
    match path::closest(steps, depth, candidates) {
        Some(best) => format!("did you mean `{{{best}}}`?"),
        None => "write a name as `parameters` spell it, or `{{` and `}}` for braces".to_owned(),
    }
}
