//! Tools that no rule knows: found by the words of their name and description.

use crate::argument;
use crate::family::Family;
use crate::sentence::overlap;
use crate::view::View;
use crate::word::{stems, telling};
use aileron_contract::scene::{Declared, Step};

pub(super) fn claim(view: &View<'_>) -> Option<Vec<Step>> {
    let wanted = stems(&view.words);
    let others = view.scene.tools.iter().filter(|tool| Family::of(tool).is_none());
    let scored = others.map(|tool| (score(tool, &wanted), tool));
    let best = scored.filter(|(score, _)| *score > 0).max_by_key(|(score, _)| *score);
    best.map(|(_, tool)| argument::call(tool, argument::from_words(view, tool)))
}

/// How well the words fit: all words of the name, or one of them and one of the description.
fn score(tool: &Declared, wanted: &[String]) -> usize {
    let name = tool.name.replace(['_', '-', '.', ':'], " ");
    let named = overlap(wanted, &name);
    let described = overlap(wanted, &tool.description);
    let whole = named > 0 && named >= telling(&name).len();
    if whole || (named > 0 && described > 1) { named * 2 + described } else { 0 }
}
