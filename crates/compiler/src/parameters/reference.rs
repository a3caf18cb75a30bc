//! Resolves references: pointers, anchors and identifiers inside of one schema.

use aileron_schema::uri;
use serde_json::Value;

use super::keyword::{self, Container};
use super::survey::{Reference, Survey};
use crate::document::{Document, join};
use crate::lint::parameters::outdated_keyword;

/// Why a reference leads nowhere.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UnresolvedReference {
    /// It is not a URI reference.
    Malformed,
    /// It leads out of the schema.
    Outside,
    /// No such place.
    NoPointer,
    /// No such `$anchor`.
    NoAnchor,
    /// The target is not a schema.
    NoSchema,
}

/// The pointer, from the document's root, of the schema that a reference means.
pub(crate) fn resolve(
    document: &Document,
    survey: &Survey<'_>,
    reference: &Reference<'_>,
) -> Result<String, UnresolvedReference> {
    let (address, fragment) = reference.text.split_once('#').unwrap_or((reference.text, ""));
    let resource = resource(survey, reference, address)?;
    let fragment = decode(fragment).ok_or(UnresolvedReference::Malformed)?;
    let start = &survey.resources.get(resource).ok_or(UnresolvedReference::Outside)?.pointer;
    let pointer = match fragment.as_str() {
        "" => start.clone(),
        path if path.starts_with('/') => format!("{start}{}", tidy(path)),
        name => survey.anchors.get(&(resource, name)).ok_or(UnresolvedReference::NoAnchor)?.clone(),
    };
    match document.get(&pointer) {
        None => Err(UnresolvedReference::NoPointer),
        Some(Value::Object(_) | Value::Bool(_)) => Ok(pointer),
        Some(_) => Err(UnresolvedReference::NoSchema),
    }
}

fn resource(
    survey: &Survey<'_>,
    reference: &Reference<'_>,
    address: &str,
) -> Result<usize, UnresolvedReference> {
    if address.is_empty() {
        return Ok(reference.resource);
    }
    let base = survey.resources.get(reference.resource).map_or(uri::DEFAULT_BASE, |r| &r.uri);
    let target = uri::resolve(base, address).ok_or(UnresolvedReference::Malformed)?;
    survey.with_uri(&target).ok_or(UnresolvedReference::Outside)
}

/// Undoes the percent-encoding of a fragment; `None` if it has characters that a URI may not have.
fn decode(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [byte, tail @ ..] = rest {
        match (byte, tail) {
            (b'%', [high, low, tail @ ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = tail;
            }
            (byte, tail) if is_fragment_byte(*byte) => {
                bytes.push(*byte);
                rest = tail;
            }
            _ => return None,
        }
    }
    String::from_utf8(bytes).ok()
}

fn is_fragment_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte)
}

/// A pointer as the fragment of a reference.
pub(crate) fn encode(pointer: &str) -> String {
    let mut fragment = String::from("#");
    for byte in pointer.bytes() {
        if is_fragment_byte(byte) {
            fragment.push(char::from(byte));
        } else {
            fragment.push_str(&format!("%{byte:02X}"));
        }
    }
    fragment
}

/// The canonical spelling of a pointer.
fn tidy(path: &str) -> String {
    path.split('/')
        .skip(1)
        .fold(String::new(), |at, step| join(&at, &step.replace("~1", "/").replace("~0", "~")))
}

/// Whether the walk from `root` visits `pointer` as a schema.
pub(crate) fn is_on_the_way(document: &Document, root: &str, pointer: &str) -> bool {
    let Some(path) = pointer.strip_prefix(root) else { return false };
    let Some(mut value) = document.get(root) else { return false };
    let mut steps = path.split('/').skip(1);
    while let Some(step) = steps.next() {
        let Some(container) = container(step, value) else { return false };
        let mut next = value.get(step);
        if container != Container::One {
            let Some(entry) = steps.next() else { return false };
            next = next.and_then(|held| held.pointer(&format!("/{entry}")));
        }
        let Some(next) = next else { return false };
        value = next;
    }
    true
}

fn container(name: &str, schema: &Value) -> Option<Container> {
    let value = schema.get(name)?;
    let shape = match keyword::find(name) {
        Some(keyword) if name != "items" || !value.is_array() => Some(keyword.shape),
        _ => outdated_keyword::shape(name, value),
    };
    shape?.container()
}
