//! Converts a source to a module: estimates the stack, erases types, parses, collects facts.

use std::sync::Arc;

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::SourceType;

use super::facts;
use super::file::{ErasedTypes, File};
use super::module::Module;
use crate::diagnostic::Diagnostic;
use crate::handler::complaint::complaints;
use crate::handler::stack::{self, StackNeed};
use crate::handler::typescript;
use crate::lint::handler::handler_syntax::{self, Language};
use crate::lint::handler::not_erasable;

/// Parses a file; its faults are added to `found`.
pub(crate) fn parse(file: File, found: &mut Vec<Diagnostic>) -> Option<Module> {
    let source = Arc::clone(&file.source);
    let bytes = match stack::need(&source.text) {
        StackNeed::Bytes(bytes) => bytes,
        StackNeed::TooDeep(at) => {
            found.push(handler_syntax::too_deep(&source, at.map(|at| at..at + 1)));
            return None;
        }
    };
    let Some(module) = stack::run(bytes, || parse_here(file, found)) else {
        found.push(handler_syntax::gave_up(&source));
        return None;
    };
    module
}

fn parse_here(file: File, found: &mut Vec<Diagnostic>) -> Option<Module> {
    if !is_typescript(&file.path) {
        let code = file.source.text.clone();
        return finish(file, code, ErasedTypes::default(), Language::JavaScript, found);
    }
    let erased = typescript::erase(&file.source, found)?;
    let rest = ErasedTypes { offsets: erased.offsets, types: erased.types, own: erased.own_types };
    finish(file, erased.code, rest, Language::TypeScript, found)
}

fn finish(
    file: File,
    code: String,
    erased: ErasedTypes,
    language: Language,
    found: &mut Vec<Diagnostic>,
) -> Option<Module> {
    let allocator = Allocator::default();
    let mut parsed = read(&allocator, &code, SourceType::mjs());
    if !parsed.diagnostics.is_empty() && file.may_be_common_js() {
        let script = read(&allocator, &code, SourceType::cjs());
        if script.diagnostics.is_empty() {
            parsed = script;
        }
    }
    let complaints = complaints(&parsed);
    for complaint in &complaints {
        let place = erased.offsets.original(complaint.place.clone());
        found.push(match language {
            Language::TypeScript => not_erasable::broken(&file.source, &complaint.reason, place),
            _ => handler_syntax::diagnose(&file.source, language, complaint, place),
        });
    }
    if !complaints.is_empty() {
        return None;
    }
    let facts = facts::collect(&parsed.program, &file, &erased, found);
    drop(parsed);
    let File { path, source, root, .. } = file;
    Some(Module { path, source, code, facts, root, types: erased.types })
}

fn read<'a>(allocator: &'a Allocator, text: &'a str, kind: SourceType) -> ParserReturn<'a> {
    let options = ParseOptions { parse_regular_expression: true, ..ParseOptions::default() };
    Parser::new(allocator, text, kind).with_options(options).parse()
}

/// Whether a path names a TypeScript module.
pub(super) fn is_typescript(path: &str) -> bool {
    [".ts", ".mts"].iter().any(|ending| path.ends_with(ending))
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
