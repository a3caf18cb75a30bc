//! OpenAI, in the flat form of the Responses API.
//!
//! Chat Completions nests the same fields under `function`: a transport for it moves all fields
//! except `type` there. The plain form passes nearly all keywords: the model reads those that
//! OpenAI does not enforce.

mod limits;
mod nullable;
mod strict;

use serde_json::Value;

use super::declaration::{Declaration, DeclaredTool, OpenAiForm, object};
use super::loss::Losses;
use super::lower;
use super::pass::{Exceptions, pass};

/// The exceptions of the plain form, for text and Realtime.
pub(super) const EXCEPTIONS: Exceptions = Exceptions {
    title: "OpenAI",
    dropped: &["$schema"],
    refused_at_root: &["anyOf", "oneOf", "allOf", "not", "enum", "const"],
    names: None,
};

pub(super) fn declare(tool: DeclaredTool<'_>, form: OpenAiForm) -> Declaration {
    match form {
        OpenAiForm::Plain => {
            let (parameters, losses) = pass(&EXCEPTIONS, tool.parameters);
            Declaration { value: function(tool, parameters), losses }
        }
        OpenAiForm::Strict => {
            let (parameters, mut losses) =
                lower::lower(&strict::DIALECT, strict::shape, tool.parameters);
            let mut large = Losses::new(strict::DIALECT.title);
            limits::check(&parameters, &mut large);
            losses.extend(large.finish());
            losses.sort();
            let mut value = function(tool, parameters);
            value["strict"] = true.into();
            Declaration { value, losses }
        }
    }
}

/// A function tool, without `strict`.
pub(super) fn function(tool: DeclaredTool<'_>, parameters: Value) -> Value {
    object([
        ("type", "function".into()),
        ("name", tool.name.into()),
        ("description", tool.description.into()),
        ("parameters", parameters),
    ])
}
