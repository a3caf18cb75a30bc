//! Availability: the tool's own condition over mode, person and conversation.

use aileron_contract::ErrorType;

use super::{Desk, Verdict};
use crate::draft::Draft;
use crate::expression::Variables;

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    let Some(condition) = draft.entry().and_then(|entry| entry.available.as_ref()) else {
        return Verdict::Pass;
    };
    let conversation = desk.memory.view();
    let variables = Variables {
        mode: desk.mode,
        user: desk.user,
        conversation: Some(&conversation),
        args: None,
    };
    match condition.holds(&variables) {
        Ok(true) => Verdict::Pass,
        Ok(false) => {
            let message = format!("`{}` is not available here and now", draft.call.tool_id);
            Verdict::refuse(ErrorType::Unavailable, message)
        }
        Err(error) => {
            draft.defect = Some(format!("availability.condition: {error}"));
            let message = format!("whether `{}` is available cannot be told", draft.call.tool_id);
            Verdict::refuse(ErrorType::Unavailable, message)
        }
    }
}
