//! A parameter without a description.

use crate::diagnostic::Diagnostic;
use crate::document::join;
use crate::draft::Draft;
use crate::lint::expressions::shape::{PlaceSchemas, SchemaStep};
use crate::rule::rule;

rule! {
    /// A parameter has no description.
    ///
    /// ## Why
    /// The declaration is what every model sees, guide or not. Without a description it has to
    /// guess from the name what the parameter means and in which form it is expected.
    ///
    /// ## Example
    /// ```json
    /// { "parameters": { "type": "object", "properties": { "query": { "type": "string" } } } }
    /// ```
    ///
    /// ## Fix
    /// Say in a few words what the parameter is for: `"description": "What to look for"`.
    UNDESCRIBED_PARAMETER, "AIL-L007", "undescribed-parameter", Warning
}

pub(crate) fn check(draft: &Draft, found: &mut Vec<Diagnostic>) {
    let Some(schema) = &draft.schema else { return };
    let Some(parameters) = schema.get("/parameters") else { return };
    let root = PlaceSchemas::of(parameters);
    for name in root.names() {
        let described = match root.property(name) {
            SchemaStep::Known(shape) => {
                shape.text("description").is_some_and(|text| !text.trim().is_empty())
            }
            SchemaStep::Anything | SchemaStep::Nothing => false,
        };
        if !described {
            let message = format!("parameter `{name}` has no description");
            let place = join("/parameters/properties", name);
            let finding = schema.at_key(&UNDESCRIBED_PARAMETER, &place, message);
            found.push(finding.help("say in a few words what it is for"));
        }
    }
}
