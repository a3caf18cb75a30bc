//! The files of a fresh tool, from templates. `{{id}}` stands for its id.

use aileron_contract::ToolId;

use crate::args::{NewCategory, NewHandler, NewRuntime};

const SCHEMA: &str = include_str!("scaffold/schema.json.in");
const GUIDE: &str = include_str!("scaffold/guide.md.in");
const CASES: &str = include_str!("scaffold/cases.json.in");
const HANDLER_JS: &str = include_str!("scaffold/handler.js.in");
const HANDLER_TS: &str = include_str!("scaffold/handler.ts.in");
const HANDLER_NODE_JS: &str = include_str!("scaffold/handler.node.js.in");
const HANDLER_NODE_TS: &str = include_str!("scaffold/handler.node.ts.in");
const HANDLER_PY: &str = include_str!("scaffold/handler.py.in");
const HANDLER_RS: &str = include_str!("scaffold/handler.rs.in");

/// The code of a fresh tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    SandboxJs,
    SandboxTs,
    NodeJs,
    NodeTs,
    Python,
    Native,
}

impl Code {
    /// The code in a language for a runtime; `None` if the runtime does not run the language.
    pub(crate) fn of(runtime: NewRuntime, handler: Option<NewHandler>) -> Option<Self> {
        match (runtime, handler) {
            (NewRuntime::Sandbox, None | Some(NewHandler::Js)) => Some(Self::SandboxJs),
            (NewRuntime::Sandbox, Some(NewHandler::Ts)) => Some(Self::SandboxTs),
            (NewRuntime::Sandbox, Some(NewHandler::Rust)) => Some(Self::Native),
            (NewRuntime::Node, None | Some(NewHandler::Js)) => Some(Self::NodeJs),
            (NewRuntime::Node, Some(NewHandler::Ts)) => Some(Self::NodeTs),
            (NewRuntime::Python, None | Some(NewHandler::Py)) => Some(Self::Python),
            (NewRuntime::Sandbox, Some(NewHandler::Py))
            | (NewRuntime::Node, Some(NewHandler::Py | NewHandler::Rust))
            | (NewRuntime::Python, Some(NewHandler::Js | NewHandler::Ts | NewHandler::Rust)) => {
                None
            }
        }
    }

    /// The name and the template of the handler.
    const fn handler(self) -> (&'static str, &'static str) {
        match self {
            Self::SandboxJs => ("handler.js", HANDLER_JS),
            Self::SandboxTs => ("handler.ts", HANDLER_TS),
            Self::NodeJs => ("handler.js", HANDLER_NODE_JS),
            Self::NodeTs => ("handler.ts", HANDLER_NODE_TS),
            Self::Python => ("handler.py", HANDLER_PY),
            Self::Native => ("handler.rs", HANDLER_RS),
        }
    }

    /// The field of `schema.json`, with its line end.
    const fn runtime(self) -> &'static str {
        match self {
            Self::NodeJs | Self::NodeTs => "\n  \"runtime\": \"node\",",
            Self::Python => "\n  \"runtime\": \"python\",",
            Self::SandboxJs | Self::SandboxTs | Self::Native => "",
        }
    }
}

/// Name and text of each file.
pub(crate) fn files(id: &ToolId, category: NewCategory, code: Code) -> [(&'static str, String); 4] {
    let (name, handler) = code.handler();
    let fill = |template: &str| fill(template, id, category).replace("{{runtime}}", code.runtime());
    [
        ("schema.json", fill(SCHEMA)),
        ("guide.md", fill(GUIDE)),
        (name, fill(handler)),
        ("cases.json", fill(CASES)),
    ]
}

fn fill(template: &str, id: &ToolId, category: NewCategory) -> String {
    let (category, effects, idempotent, asks) = match category {
        NewCategory::Retrieval => ("retrieval", "read_only", "true", "false"),
        NewCategory::Action => ("action", "writes", "false", "true"),
        NewCategory::Utility => ("utility", "none", "true", "false"),
    };
    template
        .replace("{{id}}", id.as_str())
        .replace("{{category}}", category)
        .replace("{{sideEffects}}", effects)
        .replace("{{idempotent}}", idempotent)
        .replace("{{requiresConfirmation}}", asks)
}
