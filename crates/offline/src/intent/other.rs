//! Tools that no rule knows: found by the words of their name and description.

use crate::argument;
use crate::family::Family;
use crate::sentence::overlap;
use crate::situation::Situation;
use crate::word::{stems, telling};
use aileron_contract::model_input::{ModelAction, ToolDeclaration};

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let wanted = stems(&situation.words);
    let others = situation.input.tools.iter().filter(|tool| Family::of(tool).is_none());
    let scored = others.map(|tool| (score(tool, &wanted), tool));
    let best = scored.filter(|(score, _)| *score > 0).max_by_key(|(score, _)| *score);
    best.map(|(_, tool)| argument::call(tool, argument::from_words(situation, tool)))
}

/// How well the words fit: all words of the name, or one of them and one of the description.
fn score(tool: &ToolDeclaration, wanted: &[String]) -> usize {
    let name = tool.name.replace(['_', '-', '.', ':'], " ");
    let named = overlap(wanted, &name);
    let described = overlap(wanted, &tool.description);
    let whole = named > 0 && named >= telling(&name).len();
    if whole || (named > 0 && described > 1) { named * 2 + described } else { 0 }
}
