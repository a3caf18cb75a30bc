//! OpenAI Realtime: OpenAI's plain form. Its function tools have no `strict`.

use super::dialect::Dialect;
use super::{Declaration, Tool, openai};

static DIALECT: Dialect = Dialect { title: "OpenAI Realtime", ..openai::PLAIN };

pub(super) fn declare(tool: Tool<'_>) -> Declaration {
    openai::plain(tool, &DIALECT)
}
