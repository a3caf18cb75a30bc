//! The intents of the person, one file each, and the order in which they are tried.

mod about;
pub(super) mod abuse;
mod clock;
pub(super) mod contacts;
pub(super) mod date;
pub(super) mod draw;
pub(super) mod offer;
mod other;
pub(super) mod rank;
pub(super) mod schedule;
pub(super) mod search;
mod small_talk;
mod unsupported;
pub(super) mod voice;

use super::request;
use super::situation::Situation;
use super::word::{fold, has_any};
use aileron_contract::model_input::ModelAction;

/// Answers the words if they match this intent.
type Intent = fn(&Situation<'_>) -> Option<Vec<ModelAction>>;

/// The first intent that matches answers.
const ORDER: &[Intent] = &[
    abuse::claim,
    about::claim,
    offer::claim,
    voice::claim,
    schedule::claim,
    draw::claim,
    contacts::claim,
    rank::claim,
    date::claim,
    clock::claim,
    small_talk::claim,
    search::claim_id,
    other::claim,
    unsupported::claim,
    search::claim,
    about::claim_anything,
];

/// Phrases that abandon a question of the agent.
const OUT: &[&str] = &["never mind", "nevermind", "forget it", "cancel", "stop"];

/// Phrases without a request.
const SOCIAL: &[&str] = &["thanks", "thank you", "bye", "goodbye", "hello", "hi"];

/// Verbs that begin another request.
const VERBS: &[&str] = &[
    "arrange",
    "book",
    "calculate",
    "create",
    "delete",
    "draw",
    "email",
    "extract",
    "find",
    "format",
    "generate",
    "give me",
    "list",
    "make",
    "paint",
    "rank",
    "read",
    "remind",
    "schedule",
    "search",
    "send",
    "set up",
    "show",
    "sketch",
    "sort",
    "tell me",
    "translate",
    "write",
];

/// The steps that answer the person's words.
pub(super) fn answer(situation: &Situation<'_>) -> Vec<ModelAction> {
    ORDER.iter().find_map(|intent| intent(situation)).unwrap_or_default()
}

/// Whether a message is a separate request, and so not a reply to a question of the agent. "Make it
/// 45 minutes" refers to the earlier request.
pub(super) fn is_another_request(text: &str) -> bool {
    let folded = fold(text);
    let social = has_any(&folded, SOCIAL) && folded.split_whitespace().count() <= 3;
    let another = orders_another(request::order(&folded)) || request::is_question(&folded);
    social || another || has_any(&folded, OUT)
}

/// Whether folded words begin with an order that does not refer to the earlier request.
pub(super) fn orders_another(words: &str) -> bool {
    let object = request::after(words, VERBS).and_then(|rest| rest.split(' ').next());
    object.is_some_and(|next| !next.is_empty() && next != "it" && next != "that")
}

/// A message without its greeting, thanks and assent.
pub(super) fn past_courtesies(text: &str) -> &str {
    let mut rest = text;
    while let Some((head, behind)) = rest.split_once([',', '!', '.', ';', '\n']) {
        let courtesy = fold(head);
        let said = about::GREETINGS.contains(&courtesy.trim())
            || small_talk::is_thanks(&courtesy)
            || small_talk::is_assent(&courtesy)
            || small_talk::is_pause(&courtesy);
        let behind = behind.trim_start_matches(['!', '.', ',', ' ', '\n']);
        if !said || behind.trim().is_empty() {
            break;
        }
        rest = behind;
    }
    small_talk::past_thanks(rest)
}

fn say(text: impl Into<String>) -> Vec<ModelAction> {
    vec![ModelAction::Say(text.into())]
}
