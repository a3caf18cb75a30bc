//! The agent of rules that answers without a model: `decide` is a pure function from the model's
//! input (`contract/src/model_input`) to the reply and its calls.
//!
//! - `situation` determines which input is answered, and the known facts.
//! - `intent` has one file for each kind of request, and the order in which they are tried.
//! - `result` passes each tool result to the rules for its tool.
//! - `argument` creates calls whose arguments match the declared parameters, and asks for missing
//!   ones.
//! - `choice` accepts only words that choose an offer; `answer` quotes only sentences that match
//!   the `question`; `ambiguity` asks back if several records match; `shorthand` expands
//!   abbreviations of chat; `intent/abuse/offence` is data.

mod ambiguity;
mod answer;
mod argument;
mod choice;
mod citation;
mod correction;
mod date_time;
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
mod situation;
mod slot;
mod synonym;
mod word;

pub use citation::{CITATION_END, CITATION_START};
pub use label::LABEL;

use aileron_contract::model_input::{ModelAction, ModelInput};
use situation::{LatestInput, Situation};

/// The reply if no rule applies.
const SILENT: &str = "I am here. Tell me what you need.";

/// The actions for an input: always at least one.
pub fn decide(input: &ModelInput) -> Vec<ModelAction> {
    let situation = Situation::new(input);
    let steps = match situation.news() {
        LatestInput::Words => intent::answer(&situation),
        LatestInput::Results(results) => result::follow(&situation, &results),
        LatestInput::Nothing => Vec::new(),
    };
    let steps = if steps.is_empty() { vec![ModelAction::Say(SILENT.to_owned())] } else { steps };
    label::on_first_contact(input, steps)
}

#[cfg(test)]
#[path = "lib_tests.rs"]
mod tests;
