//! Expressions, previews and pointers: `AIL-X`.

use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::rule::Rule;

pub(crate) mod literal;
pub(crate) mod path;
pub(crate) mod shape;

pub(crate) const RULES: &[&Rule] = &[];

pub(crate) fn check(draft: &Draft, found: &mut Vec<Diagnostic>) {
    let _ = (draft, found);
}
