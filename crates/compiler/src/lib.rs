//! Directories in, one hashed registry and every finding out.
//!
//! `compile` never stops at the first fault. Only the rim (`tree`, `emit`)
//! touches the disk; everything between is values.

pub mod breaking;
mod compile;
pub mod declare;
pub mod diagnostic;
pub mod docs;
pub mod document;
pub mod draft;
pub mod emit;
pub mod format;
mod handler;
mod lint;
mod natives;
mod parameters;
mod reader;
pub mod render;
pub mod rule;
pub mod source;
pub mod suggest;
pub mod tree;

pub use compile::{Compilation, CompiledTool, Options, Progress, compile, compile_folder};
pub use diagnostic::{Counts, Diagnostic, Severity};
pub use natives::NativeFault;
pub use rule::Rule;
pub use source::{Position, Source, Span};
pub use tree::{Folder, Memory, Tree};
