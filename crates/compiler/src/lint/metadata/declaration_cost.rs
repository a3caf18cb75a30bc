//! A declaration with too many tokens.

use crate::compilation::CompiledTool;
use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;
use crate::tree::SourceTree;

/// Maximum recommended tokens of a declaration.
const MOST_TOKENS: usize = 1_500;

rule! {
    /// A tool's declaration costs more than 1,500 tokens.
    ///
    /// ## Why
    /// Declarations are part of every request. A large one costs money and time on every turn,
    /// in voice too, and takes the model's attention from the other tools. The cost is an
    /// estimate: the characters of the largest provider's declaration, divided by four.
    ///
    /// ## Example
    /// A parameter with 400 `enum` values, or descriptions of a page each.
    ///
    /// ## Fix
    /// Shorten descriptions and move what they explain to the guide; replace long lists by a
    /// text that the handler checks; split a tool that does several things.
    DECLARATION_COST, "AIL-L005", "declaration-cost", Warning
}

pub(crate) fn check(tree: &dyn SourceTree, tools: &[CompiledTool], found: &mut Vec<Diagnostic>) {
    for tool in tools.iter().filter(|tool| tool.tokens > MOST_TOKENS) {
        let path = tree.display(&format!("{}/schema.json", tool.id.directory()));
        let message = format!(
            "declaration of `{}` costs about {} tokens, expected at most {MOST_TOKENS}",
            tool.id, tool.tokens
        );
        let finding = Diagnostic::new(&DECLARATION_COST, &Source::new(path, ""), message);
        found.push(finding.help(
            "shorten descriptions and lists of values, or split the tool; the guide is the place for explanations",
        ));
    }
}
