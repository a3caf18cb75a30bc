//! OpenAI Realtime: OpenAI's plain form. Its function tools have no `strict`.

use super::declaration::{Declaration, DeclaredTool};
use super::openai::{EXCEPTIONS, function};
use super::pass::{Exceptions, pass};

pub(super) fn declare(tool: DeclaredTool<'_>) -> Declaration {
    let exceptions = Exceptions { title: "OpenAI Realtime", ..EXCEPTIONS };
    let (parameters, losses) = pass(&exceptions, tool.parameters);
    Declaration { value: function(tool, parameters), losses }
}
