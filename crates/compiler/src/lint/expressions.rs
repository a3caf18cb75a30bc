//! Expressions, previews and pointers: `AIL-X`.

use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::rule::Rule;

pub(crate) const RULES: &[&Rule] = &[];

pub(crate) fn check(draft: &Draft, found: &mut Vec<Diagnostic>) {
    let _ = (draft, found);
}
