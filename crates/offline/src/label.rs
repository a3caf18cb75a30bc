//! The label, so that no person takes the rules for a model.

use aileron_contract::model_input::{HistoryItem, ModelAction, ModelInput};

/// How the agent describes itself on first contact and when asked.
pub const LABEL: &str = "I am the offline agent: rules, no model.";

/// Puts the label before the first words of a conversation.
pub(super) fn on_first_contact(
    input: &ModelInput,
    mut steps: Vec<ModelAction>,
) -> Vec<ModelAction> {
    let met = input.items.iter().any(|item| matches!(item, HistoryItem::Said { .. }));
    if met {
        return steps;
    }
    let first = steps.iter_mut().find_map(|step| match step {
        ModelAction::Say(text) => Some(text),
        ModelAction::Think(_) | ModelAction::Call(_) => None,
    });
    if let Some(text) = first.filter(|text| !text.contains(LABEL)) {
        *text = format!("{LABEL} {text}");
    }
    steps
}
