//! The label: nobody is to take the rules for a model.

use aileron_contract::scene::{Item, Scene, Step};

/// What the agent says of itself on first contact and when asked.
pub const LABEL: &str = "I am the offline agent: rules, no model.";

/// Puts the label before the first words of a conversation.
pub(super) fn on_first_contact(scene: &Scene, mut steps: Vec<Step>) -> Vec<Step> {
    let met = scene.items.iter().any(|item| matches!(item, Item::Said { .. }));
    if met {
        return steps;
    }
    let first = steps.iter_mut().find_map(|step| match step {
        Step::Say(text) => Some(text),
        Step::Think(_) | Step::Call(_) => None,
    });
    if let Some(text) = first.filter(|text| !text.contains(LABEL)) {
        *text = format!("{LABEL} {text}");
    }
    steps
}
