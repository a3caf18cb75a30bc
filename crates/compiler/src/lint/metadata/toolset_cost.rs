//! A toolset with too many tokens.

use std::cmp::Reverse;

use crate::compilation::CompiledTool;
use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;
use crate::tree::SourceTree;

/// Maximum recommended tokens of all declarations together.
const MOST_TOKENS: usize = 16_000;

/// How many of the costliest tools are named.
const NAMED: usize = 3;

rule! {
    /// The declarations of all tools together cost more than 16,000 tokens.
    ///
    /// ## Why
    /// Every conversation carries the declarations of all the tools its mode allows, on every
    /// turn. Beyond some size models also choose worse among them.
    ///
    /// ## Example
    /// Eighty tools of 250 tokens each.
    ///
    /// ## Fix
    /// Begin with the costliest tools, which the message names: shorten them. Give tools that
    /// only some conversations need an `availability.condition`, or a toolset of their own.
    TOOLSET_COST, "AIL-L006", "toolset-cost", Warning
}

pub(crate) fn check(tree: &dyn SourceTree, tools: &[CompiledTool], found: &mut Vec<Diagnostic>) {
    let total: usize = tools.iter().map(|tool| tool.tokens).sum();
    if total <= MOST_TOKENS {
        return;
    }
    let mut costliest: Vec<_> = tools.iter().collect();
    costliest.sort_by_key(|tool| (Reverse(tool.tokens), &tool.id));
    let named = costliest.iter().take(NAMED).map(|t| format!("`{}` ({})", t.id, t.tokens));
    let message = format!(
        "declarations of {} tools cost about {total} tokens, expected at most {MOST_TOKENS}; costliest: {}",
        tools.len(),
        named.collect::<Vec<_>>().join(", ")
    );
    let folder = Source::new(tree.display(""), "");
    found.push(Diagnostic::new(&TOOLSET_COST, &folder, message).help(
        "shorten the costliest, or give tools that few conversations need an `availability.condition`",
    ));
}
