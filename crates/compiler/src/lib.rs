//! Compiles tool directories to one hashed registry and reports every problem.
//!
//! A build is `discover -> parse -> check -> lint -> declare -> compare -> hash -> emit`:
//!
//! 1. discover (`lint/files`): finds the tool directories. Files are listed and read through
//!    `tree`, so a folder on disk, a git ref and a test compile with the same code.
//! 2. parse (`reader`, `document`, `docs`, `handler`): every file is bounded, UTF-8, with `\n` line
//!    ends. `serde_json` parses JSON and `jsonc-parser` gives positions; `oxc` parses JavaScript
//!    and TypeScript, `syn` Rust, `pulldown-cmark` Markdown.
//! 3. check and lint (`lint`, `parameters`): rules check a draft in which every part may be
//!    missing, so that one fault does not hide others. One rule is one file; its doc comment is the
//!    page that `aileron explain` prints. A code is never reused.
//! 4. declare (`declare`): a pure function from `schema.json` to each provider's declaration and
//!    the list of dropped keywords.
//! 5. compare (`breaking`): two registries in, breaking changes out.
//! 6. hash and emit (`compile`, `emit`): each tool is one line of canonical JSON with its own hash;
//!    the content hash covers all of them; the artifact is renamed into place.
//!
//! `migrate` compiles each tool of a foreign toolset with the changes that findings propose, and says
//! which changes are enough. `left_out` removes tools that call a tool which failed, for builds that
//! keep going.
//!
//! Imports go one way: `compile` runs the passes and imports all of them; a pass imports the rules
//! that it reports; a rule imports only definitions (`rule`, `diagnostic`, `document`, `draft`).
//! `rules` lists all rules and nothing in the passes imports it. `xtask tidy` fails on a cycle.
//!
//! Tools are compiled in parallel, one per core. The JSON Schemas in `schema/` define the formats
//! of `schema.json` and `cases.json`, for editors and for the compiler. Only `tree` and `emit` use
//! the disk; nothing uses the network or the runtime.

pub mod breaking;
mod compilation;
mod compile;
pub mod declare;
pub mod diagnostic;
pub mod docs;
pub mod document;
pub mod draft;
pub mod emit;
pub mod format;
mod handler;
mod left_out;
mod lint;
pub mod migrate;
mod natives;
mod options;
mod parameters;
mod reader;
pub mod render;
pub mod rule;
pub mod rules;
pub mod source;
pub mod suggest;
pub mod tree;

pub use compilation::{Compilation, CompiledTool};
pub use compile::{Progress, compile, compile_folder};
pub use diagnostic::{Counts, Diagnostic, Edit};
pub use handler::is_package_file;
pub use natives::{FindNative, NativeFault};
pub use options::Options;
pub use rule::{Rule, Severity};
pub use source::{Position, Source, Span};
pub use tree::{Folder, Memory, Overlay, SourceTree};
