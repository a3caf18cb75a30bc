//! Converts TypeScript to JavaScript by replacing types with blanks, so that lines and columns do
//! not change. Syntax that needs generated code is refused.

mod blank;
mod class;
mod erase;
mod export;
mod guard;
mod tokens;

use std::collections::BTreeSet;
use std::sync::Arc;

use oxc_allocator::Allocator;
use oxc_parser::config::TokensParserConfig;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

pub(crate) use self::blank::Offsets;
use self::erase::Eraser;
use self::tokens::Tokens;
use super::complaint::complaints;
use crate::diagnostic::Diagnostic;
use crate::lint::handler::handler_syntax::{self, Language};
use crate::lint::handler::not_erasable;
use crate::source::Source;

/// The result of erasing a TypeScript module.
pub(crate) struct Erasure {
    pub(crate) code: String,
    /// From places in `code` to places in the source.
    pub(crate) offsets: Offsets,
    /// Types that the module exports.
    pub(crate) types: BTreeSet<String>,
    /// Types that the module declares or imports.
    pub(crate) own_types: BTreeSet<String>,
}

/// Erases the types of a module; constructs that cannot be erased are added to `found`.
pub(crate) fn erase(source: &Arc<Source>, found: &mut Vec<Diagnostic>) -> Option<Erasure> {
    let allocator = Allocator::default();
    let options = ParseOptions { parse_regular_expression: true, ..ParseOptions::default() };
    let parser = || Parser::new(&allocator, &source.text, SourceType::ts()).with_options(options);
    let parsed = parser().parse();
    let complaints = complaints(&parsed);
    if !complaints.is_empty() {
        found.extend(complaints.iter().map(|complaint| {
            let place = complaint.place.clone();
            handler_syntax::diagnose(source, Language::TypeScript, complaint, place)
        }));
        return None;
    }
    // The parser may panic on the tokens of a text with errors; this text has none.
    let parsed = parser().with_config(TokensParserConfig).parse();
    let tokens = Tokens::new(&parsed.tokens);
    let eraser = Eraser::run(&source.text, tokens, &parsed.program);
    if !eraser.refused.is_empty() {
        let refused = eraser.refused.into_iter();
        found.extend(
            refused.map(|(construct, place)| not_erasable::diagnose(source, construct, place)),
        );
        return None;
    }
    let edits = guard::guard(eraser.edits, tokens);
    let (code, offsets) = blank::apply(&source.text, &edits);
    Some(Erasure { code, offsets, types: eraser.types, own_types: eraser.own_types })
}

#[cfg(test)]
#[path = "typescript_tests.rs"]
mod tests;
