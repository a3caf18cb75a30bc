//! A file that is not UTF-8.

use std::string::FromUtf8Error;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The file is not UTF-8.
    ///
    /// ## Why
    /// JSON, Markdown and JavaScript are read as UTF-8 everywhere. Other encodings turn
    /// into other letters on another machine.
    ///
    /// ## Example
    /// A `guide.md` saved as Latin-1 or UTF-16.
    ///
    /// ## Fix
    /// Save the file as UTF-8.
    NOT_UTF8, "AIL-F004", "not-utf8", Error
}

pub(crate) fn diagnose(path: String, error: &FromUtf8Error) -> Diagnostic {
    let at = error.utf8_error().valid_up_to();
    let text = String::from_utf8_lossy(error.as_bytes()).replace("\r\n", "\n");
    let source = Source::new(path, text);
    let broken = source.text.find('\u{fffd}').unwrap_or(0);
    let message = format!("file is not UTF-8: the byte at offset {at} is not part of a character");
    Diagnostic::new(&NOT_UTF8, &source, message)
        .at(broken..broken + '\u{fffd}'.len_utf8())
        .help("save it as UTF-8")
}
