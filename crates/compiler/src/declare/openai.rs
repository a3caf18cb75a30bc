//! OpenAI, in the flat form of the Responses API.
//!
//! Chat Completions nests the same fields under `function`: a transport that
//! speaks it moves all but `type` there. The plain form passes nearly
//! everything: what OpenAI does not enforce, the model still reads.

mod limits;
mod nullable;
mod strict;

use serde_json::Value;

use super::declaration::{Declaration, DeclaredTool, OpenAiForm, object};
use super::loss::Losses;
use super::lower;
use super::pass::{Exceptions, pass};

/// What the plain form does not take, in text and in Realtime.
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
