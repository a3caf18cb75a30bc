//! An import of something that a handler cannot have.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// An import names something other than a relative module or `aileron`.
    ///
    /// ## Why
    /// A handler runs in a sandbox, from the registry alone: no file system, no network, no
    /// `node_modules`. It reaches the outside through the capabilities that it declares, which
    /// are members of `context`. With `"runtime": "node"` a handler may import packages and Node's own
    /// modules; addresses and JSON files may not be imported there either.
    ///
    /// ## Example
    /// ```js
    /// import fs from 'node:fs';
    /// import data from './data.json' with { type: 'json' };
    /// ```
    ///
    /// ## Fix
    /// Use a capability (`context.kb`, `context.http`), or bring the code into the tools
    /// folder and import it by its path, or set `"runtime": "node"`. Write JSON as a module:
    /// `export default { ... }`.
    FOREIGN_IMPORT, "AIL-H008", "foreign-import", Error
}

/// Why an import is foreign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForeignReason {
    Node,
    Url,
    Package,
    /// `aileron/...`
    Deep,
    /// `#...`, which the `imports` of a `package.json` would resolve.
    Alias,
    Json,
    /// A relative file that is no module.
    NotAModule,
    Attributes,
    Require,
    /// `require(...)` in an ES module of Node.js.
    RequireInModule,
}

impl ForeignReason {
    const fn help(self) -> &'static str {
        match self {
            Self::Node => {
                "Node's modules are not in the sandbox: use a declared capability, such as `context.http` or `context.kb`, or set `\"runtime\": \"node\"` in `schema.json`"
            }
            Self::Url => "save the module in the tools folder and import it by its path",
            Self::Package => {
                "packages are not in the sandbox: set `\"runtime\": \"node\"` in `schema.json`, or copy what you need into the tools folder, for example to `_lib/`, and import it by its path"
            }
            Self::Deep => "import from `aileron` itself: `ErrorType`, `ToolError`, `IntentType`",
            Self::Alias => {
                "import the file by its path: `imports` of `package.json` are not resolved"
            }
            Self::Json => "write it as a module that says `export default { ... }`",
            Self::NotAModule => "import a `.js`, `.mjs`, `.ts` or `.mts` file",
            Self::Attributes => {
                "remove `with { ... }`: only JavaScript and TypeScript are imported"
            }
            Self::Require => {
                "`require` is CommonJS: write `import ... from '...'`, or set `\"runtime\": \"node\"` in `schema.json`"
            }
            Self::RequireInModule => {
                "an ES module has no `require`: write `import ... from '...'`, or remove `\"type\": \"module\"` from `package.json` if all of the file is CommonJS"
            }
        }
    }
}

pub(crate) fn diagnose(
    source: &Arc<Source>,
    request: &str,
    foreign: ForeignReason,
    place: Span,
) -> Diagnostic {
    let found = match foreign {
        ForeignReason::Require | ForeignReason::RequireInModule => {
            format!("`require('{request}')`")
        }
        ForeignReason::Attributes => format!("import attributes on `{request}`"),
        _ => format!("`{request}`"),
    };
    let message = format!("expected an import of a relative module or `aileron`, found {found}");
    Diagnostic::new(&FOREIGN_IMPORT, source, message).at(place).help(foreign.help())
}
