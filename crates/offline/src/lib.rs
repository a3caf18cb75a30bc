//! The offline agent: rules, no model. It sees what a model would see, the instructions, the
//! declared tools and the conversation, and nothing else, so that it can stand in for one.
//!
//! A statement that rests on a record of the knowledge base is followed by a citation of the exact
//! form `[record:<id>]`, such as `[record:person:mira_holt]`. Spoken answers name the title instead,
//! since nobody wants an id read out.

mod ambiguity;
mod answer;
mod argument;
mod choice;
mod citation;
mod correction;
mod evidence;
mod extract;
mod failure;
mod family;
mod intent;
mod label;
mod late;
mod outcome;
mod question;
mod request;
mod result;
mod revision;
mod schema;
mod sentence;
mod shorthand;
mod slot;
mod synonym;
mod view;
mod when;
mod word;

pub use citation::{CITATION_END, CITATION_START};
pub use label::LABEL;

use aileron_contract::scene::{Scene, Step};
use view::{News, View};

/// What is said when even the rules have nothing to say.
const SILENT: &str = "I am here. Tell me what you need.";

/// What the rules make of a scene: always at least one step.
pub fn decide(scene: &Scene) -> Vec<Step> {
    let view = View::new(scene);
    let steps = match view.news() {
        News::Words => intent::answer(&view),
        News::Results(results) => result::follow(&view, &results),
        News::Nothing => Vec::new(),
    };
    let steps = if steps.is_empty() { vec![Step::Say(SILENT.to_owned())] } else { steps };
    label::on_first_contact(scene, steps)
}

#[cfg(test)]
#[path = "lib_tests.rs"]
mod tests;
