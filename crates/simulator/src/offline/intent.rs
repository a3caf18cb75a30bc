//! What the person may want, one file each, and the order in which they are tried.

mod about;
pub(super) mod abuse;
mod beyond;
pub(super) mod contacts;
pub(super) mod date;
pub(super) mod draw;
mod offer;
mod other;
pub(super) mod rank;
pub(super) mod schedule;
pub(super) mod search;
mod talk;
pub(super) mod voice;

use super::view::View;
use crate::brain::Step;

/// Answers the words if they are its business.
type Intent = fn(&View<'_>) -> Option<Vec<Step>>;

/// The first that claims the words answers them.
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
    talk::claim,
    search::claim_id,
    other::claim,
    beyond::claim,
    search::claim,
    about::claim_anything,
];

/// The steps that answer the person's words.
pub(super) fn answer(view: &View<'_>) -> Vec<Step> {
    ORDER.iter().find_map(|intent| intent(view)).unwrap_or_default()
}

fn say(text: impl Into<String>) -> Vec<Step> {
    vec![Step::Say(text.into())]
}
