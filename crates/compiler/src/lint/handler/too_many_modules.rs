//! A handler that carries too much.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// The handler imports more than 256 modules, or more than 4 MiB in all.
    ///
    /// ## Why
    /// The registry carries the text of every module, and every server loads and keeps it.
    /// A handler of this size is a library in the wrong place.
    ///
    /// ## Example
    /// A handler that imports a date library file by file.
    ///
    /// ## Fix
    /// Import only what is used, or move the work behind a capability or into a native handler.
    TOO_MANY_MODULES, "AIL-H012", "too-many-modules", Error
}

/// Maximum modules of one handler.
pub(crate) const MOST_MODULES: usize = 256;

/// Maximum bytes of all modules of one handler.
pub(crate) const MOST_BYTES: usize = 4 << 20;

/// Which of the two limits was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LimitExceeded {
    Modules,
    Bytes,
}

/// The import at `place` is the one too many.
pub(crate) fn diagnose(source: &Arc<Source>, excess: LimitExceeded, place: Span) -> Diagnostic {
    let message = match excess {
        LimitExceeded::Modules => {
            format!("handler has more modules than the {MOST_MODULES} allowed")
        }
        LimitExceeded::Bytes => {
            format!("modules of the handler have more than the {MOST_BYTES} bytes allowed in all")
        }
    };
    Diagnostic::new(&TOO_MANY_MODULES, source, message)
        .at(place)
        .help("import only what is used, or move the work behind a capability")
}
