//! Evaluates the recorded calls of a conversation against the policies of another registry and
//! reports different decisions. No handler runs.
//!
//! The policies decide again, at the recorded times and over the calls that they admit in the
//! replay; an admitted call ends as its record says. Facts that a record does not contain cannot be
//! evaluated: they are assumed to be unchanged, or reported as a doubt:
//! - Arguments are recorded redacted, with defaults filled in and brought down to the limits
//!   of their mode. So a changed default or a loosened limit is not seen, and a parameter that
//!   was removed is refused even if the model never sent it.
//! - Of the person only the id is known: every permission that was not refused counts as given, and
//!   conditions see no other claims.
//! - Blocks, ends of a conversation, duplicates, open confirmations and decisions of handlers are
//!   not evaluated. The calls of one message are inferred from their time.

mod record;
mod report;
mod scene;

use std::sync::Arc;

use aileron_contract::AuditRecord;
use aileron_runtime::Registry;

pub use self::report::{Replay, ReplayDecision, ReplayedCall};
use self::scene::ReplayScene;
use crate::config::Config;
use crate::toolset::{ConditionError, Toolset};

/// Replays the records of one conversation, in any order, against a registry.
pub fn replay(
    mut records: Vec<AuditRecord>,
    registry: Arc<Registry>,
    config: &Config,
) -> Result<Replay, ConditionError> {
    let toolset = Toolset::new(registry)?;
    records.sort_by_key(record::order);
    let Some(first) = records.first() else { return Ok(Replay::default()) };
    let then = first.entry.registry_version.clone();
    let mut scene = ReplayScene::new(&first.entry, &toolset, config);
    let calls = records.iter().map(|record| scene.call(record)).collect();
    Ok(Replay { then, now: toolset.registry().version().to_owned(), calls })
}
