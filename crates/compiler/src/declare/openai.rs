//! OpenAI, in the flat form of the Responses API.
//!
//! Chat Completions nests the same fields under `function`: a transport that
//! speaks it moves all but `type` there. The plain form passes nearly
//! everything: what OpenAI does not enforce, the model still reads.

mod nullable;
mod strict;

use serde_json::json;

use super::dialect::{Dialect, Refs, Treatment};
use super::{Declaration, Form, Tool, emit, lower};

/// The plain form, which Realtime shares.
pub(super) const PLAIN: Dialect = Dialect {
    title: "OpenAI",
    table: &[(Treatment::Drop, &["$schema"])],
    otherwise: Treatment::Keep,
    refs: Refs::AsWritten,
    names: None,
    refused_at_root: &["anyOf", "oneOf", "allOf", "not", "enum", "const"],
    conflict: Treatment::Drop,
    shape: emit::as_emitted,
};

static DIALECT: Dialect = PLAIN;

pub(super) fn declare(tool: Tool<'_>, form: Form) -> Declaration {
    match form {
        Form::Plain => plain(tool, &DIALECT),
        Form::Strict => {
            let mut declaration = plain(tool, &strict::DIALECT);
            declaration.value["strict"] = json!(true);
            declaration
        }
    }
}

/// A function tool without `strict`.
pub(super) fn plain(tool: Tool<'_>, dialect: &'static Dialect) -> Declaration {
    let (parameters, losses) = lower::lower(dialect, tool.parameters);
    let value = json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": parameters,
    });
    Declaration { value, losses }
}
