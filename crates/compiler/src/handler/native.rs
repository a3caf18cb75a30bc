//! Native handlers: parsed and hashed here, compiled by the `tools` crate.

mod depth;

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::sync::Arc;

use aileron_contract::Handler;
use aileron_contract::artifact::code_hash;
use proc_macro2::{Span as TokenSpan, TokenStream};
use syn::{Item, UseTree, Visibility};

use super::stack;
use crate::diagnostic::Diagnostic;
use crate::lint::handler::handler_syntax::{self, Language, SyntaxComplaint};
use crate::lint::handler::{execute_not_a_function, no_execute};
use crate::reader::{self, limit};
use crate::rule::Severity;
use crate::source::{Source, Span};
use crate::tree::SourceTree;

/// Stack for the lexer, which does not recurse.
const LEXER_STACK: usize = 4 << 20;

/// Compiles `handler.rs` and the modules beside it.
pub(super) fn compile(
    tree: &dyn SourceTree,
    directory: &str,
    entry: &str,
    files: &BTreeSet<String>,
    found: &mut Vec<Diagnostic>,
) -> Option<Handler> {
    let before = found.len();
    let mut modules = BTreeMap::new();
    for name in files.iter().filter(|name| name.ends_with(".rs")) {
        let path = format!("{directory}/{name}");
        let Some(source) = reader::read(tree, &path, limit::MODULE, found).source() else {
            continue;
        };
        check(&source, name == entry, found);
        modules.insert(path, source.text.clone());
    }
    let failed = found.iter().skip(before).any(|finding| finding.severity == Severity::Error);
    let entry = format!("{directory}/{entry}");
    if failed || !modules.contains_key(&entry) {
        return None;
    }
    Some(Handler::Native { hash: code_hash(&entry, &modules) })
}

/// Checks one file on separate threads: the stack size for parsing depends on the tokens, and the
/// lexer keeps every text until its thread ends.
fn check(source: &Arc<Source>, is_entry: bool, found: &mut Vec<Diagnostic>) {
    let measured = stack::run_apart(LEXER_STACK, || lex(source).map(depth::need));
    match measured {
        Some(Ok(Some(bytes))) => match stack::run_apart(bytes, || parse(source, is_entry)) {
            Some(findings) => found.extend(findings),
            None => found.push(handler_syntax::gave_up(source)),
        },
        Some(Ok(None)) => found.push(handler_syntax::too_deep(source, None)),
        Some(Err(finding)) => found.push(*finding),
        None => found.push(handler_syntax::gave_up(source)),
    }
}

fn lex(source: &Arc<Source>) -> Result<TokenStream, Box<Diagnostic>> {
    TokenStream::from_str(&source.text)
        .map_err(|error| Box::new(syntax(source, error.to_string(), error.span())))
}

fn parse(source: &Arc<Source>, is_entry: bool) -> Vec<Diagnostic> {
    let parsed = lex(source).and_then(|tokens| {
        syn::parse2::<syn::File>(tokens)
            .map_err(|error| Box::new(syntax(source, error.to_string(), error.span())))
    });
    match parsed {
        Ok(file) if is_entry => check_execute(source, &file).into_iter().collect(),
        Ok(_) => Vec::new(),
        Err(finding) => vec![*finding],
    }
}

fn syntax(source: &Arc<Source>, reason: String, span: TokenSpan) -> Diagnostic {
    let end = source.text.trim_end().len();
    let place = match reason.starts_with("unexpected end of input") {
        true => end..end,
        false => place(source, span),
    };
    let complaint = SyntaxComplaint { reason, help: None, place: place.clone() };
    handler_syntax::diagnose(source, Language::Rust, &complaint, place)
}

/// The range of a token; its columns are characters, counted from 0.
fn place(source: &Source, span: TokenSpan) -> Span {
    let start = span.start();
    source.point_span(start.line, start.column + 1)
}

fn check_execute(source: &Arc<Source>, file: &syn::File) -> Option<Diagnostic> {
    let own = file.items.iter().find_map(|item| match item {
        Item::Fn(function) if function.sig.ident == "execute" => Some(function),
        _ => None,
    });
    let Some(function) = own else {
        let used = file.items.iter().any(brings_execute);
        return if used { None } else { Some(no_execute::native(source)) };
    };
    let public = matches!(function.vis, Visibility::Public(_));
    let what = match (public, function.sig.asyncness.is_some()) {
        (true, true) => return None,
        (true, false) => "a function that is not `async`",
        (false, true) => "a function that is not `pub`",
        (false, false) => "a function that is neither `pub` nor `async`",
    };
    let place = place(source, function.sig.ident.span());
    Some(execute_not_a_function::native(source, what, place.start..place.start + "execute".len()))
}

/// Whether an item is a `pub use` that may import `execute`.
fn brings_execute(item: &Item) -> bool {
    match item {
        Item::Use(it) => matches!(it.vis, Visibility::Public(_)) && names_execute(&it.tree),
        Item::Macro(_) => true,
        _ => false,
    }
}

fn names_execute(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(it) => names_execute(&it.tree),
        UseTree::Name(it) => it.ident == "execute",
        UseTree::Rename(it) => it.rename == "execute",
        UseTree::Glob(_) => true,
        UseTree::Group(it) => it.items.iter().any(names_execute),
    }
}

#[cfg(test)]
#[path = "native_tests.rs"]
mod tests;
