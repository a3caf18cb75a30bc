//! A guide that names an unknown parameter.

use crate::diagnostic::Diagnostic;
use crate::docs::Documentation;
use crate::docs::outline::Name;
use crate::draft::Draft;
use crate::lint::expressions::path::{self, Arrays, Resolution, Segment};
use crate::lint::expressions::shape::{PlaceSchemas, SchemaStep};
use crate::rule::rule;

rule! {
    /// The Parameters section names a parameter that does not exist.
    ///
    /// ## Why
    /// A model believes the guide, and the call is then refused for an unknown property. It
    /// usually means that the parameter was renamed and the guide was not.
    ///
    /// The rule checks inline code at the beginning of a list item, a table row or a sub-heading.
    /// Nested parameters are written with dots, `filters.tags`, `items[].name`, or below the
    /// entry of their parent. Entries below a parameter without properties are its values, and
    /// entries below an item that begins with other words are not checked.
    ///
    /// ## Example
    /// ```markdown
    /// ## Parameters
    ///
    /// - `limit`: how many results, when the schema calls it `top_k`.
    /// ```
    ///
    /// ## Fix
    /// Write the name as `parameters` spell it, or remove the entry.
    UNKNOWN_PARAMETER, "AIL-D010", "unknown-parameter", Error
}

/// Words in code that are values, never names.
const LITERALS: [&str; 3] = ["true", "false", "null"];

/// The result of looking up a name.
enum NameVerdict<'a> {
    Known(PlaceSchemas<'a>),
    /// A value, or something the schema leaves open.
    Fine,
    Unknown,
}

pub(crate) fn check(draft: &Draft, documentation: &Documentation, found: &mut Vec<Diagnostic>) {
    let Some(parameters) = draft.field("/parameters") else { return };
    let root = PlaceSchemas::of(parameters);
    let names = &documentation.outline.names;
    let mut verdicts: Vec<NameVerdict<'_>> = Vec::with_capacity(names.len());
    for name in names {
        let verdict = match path::parse(&name.text) {
            Some(path) if !LITERALS.contains(&name.text.as_str()) => {
                let judged = judge(&root, &path, name, names, &verdicts);
                judged.unwrap_or_else(|instead| {
                    found.push(diagnose(documentation, name, &path, instead));
                    NameVerdict::Unknown
                })
            }
            _ => NameVerdict::Fine,
        };
        verdicts.push(verdict);
    }
}

/// Looks up a name at the root, then below each entry around it, innermost first. If it is unknown,
/// returns the most similar name, if there is one.
fn judge<'a>(
    root: &PlaceSchemas<'a>,
    path: &[Segment<'_>],
    name: &Name,
    names: &[Name],
    verdicts: &[NameVerdict<'a>],
) -> Result<NameVerdict<'a>, Option<String>> {
    let at_root = match lookup(root, path) {
        Ok(verdict) => return Ok(verdict),
        Err(instead) => instead,
    };
    let mut instead = None;
    let mut above = name.parent;
    while let Some(index) = above {
        match &verdicts[index] {
            NameVerdict::Unknown => return Ok(NameVerdict::Fine),
            NameVerdict::Fine => {}
            NameVerdict::Known(shape) if lists(shape, &name.text) => return Ok(NameVerdict::Fine),
            // The entries below a parameter without properties are its values.
            NameVerdict::Known(shape) if !has_members(shape) => return Ok(NameVerdict::Fine),
            NameVerdict::Known(shape) => match lookup(shape, path) {
                Ok(verdict) => return Ok(verdict),
                Err(better) => instead = instead.or(better),
            },
        }
        above = names[index].parent;
    }
    if name.below_prose {
        return Ok(NameVerdict::Fine);
    }
    Err(instead.or(at_root))
}

/// Whether the place, or its items, have properties with names.
fn has_members(shape: &PlaceSchemas<'_>) -> bool {
    let named = |shape: &PlaceSchemas<'_>| !shape.names().is_empty();
    named(shape) || matches!(shape.item(None), SchemaStep::Known(items) if named(&items))
}

fn lookup<'a>(
    shape: &PlaceSchemas<'a>,
    path: &[Segment<'_>],
) -> Result<NameVerdict<'a>, Option<String>> {
    match path::resolve(shape, path, Arrays::Implied) {
        Resolution::Found(shape) => Ok(NameVerdict::Known(shape)),
        Resolution::Open => Ok(NameVerdict::Fine),
        Resolution::Unknown { depth, candidates } => Err(path::closest(path, depth, &candidates)),
    }
}

/// Whether the text is an allowed value of the place or of its items.
fn lists(shape: &PlaceSchemas<'_>, text: &str) -> bool {
    let among =
        |shape: &PlaceSchemas<'_>| shape.values().iter().any(|value| value.as_str() == Some(text));
    among(shape) || matches!(shape.item(None), SchemaStep::Known(items) if among(&items))
}

fn diagnose(
    documentation: &Documentation,
    name: &Name,
    path: &[Segment<'_>],
    instead: Option<String>,
) -> Diagnostic {
    let text = path::spelled(path);
    let message =
        format!("`{text}` is named as a parameter, but `parameters` have no such property");
    let help = instead.map_or_else(
        || "write the name as `parameters` spell it, or remove the entry".to_owned(),
        |better| format!("did you mean `{better}`?"),
    );
    Diagnostic::new(&UNKNOWN_PARAMETER, &documentation.source, message)
        .at(name.span.clone())
        .help(help)
}
