//! An import that is only known when it runs.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// `import()` of a path that is computed.
    ///
    /// ## Why
    /// The registry carries every module a handler can reach, so each must be known when
    /// it is built. A computed path cannot be followed.
    ///
    /// ## Example
    /// ```js
    /// const { format } = await import(`./formats/${args.locale}.js`);
    /// ```
    ///
    /// ## Fix
    /// Import what may be needed by its literal path, and choose among it:
    /// ```js
    /// import * as de from './formats/de.js';
    /// import * as en from './formats/en.js';
    /// const formats = { de, en };
    /// ```
    DYNAMIC_IMPORT, "AIL-H009", "dynamic-import", Error
}

pub(crate) fn diagnose(source: &Arc<Source>, place: Span) -> Diagnostic {
    let message = "expected `import()` of a literal path, found a computed one";
    Diagnostic::new(&DYNAMIC_IMPORT, source, message)
        .at(place)
        .help("import each module by its literal path, and choose among them")
}
