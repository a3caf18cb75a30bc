//! Known tool: a call of a tool that is not there names those most like it.

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use serde_json::json;

use super::{Desk, Verdict};
use crate::draft::Draft;

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    if draft.entry().is_some() {
        return Verdict::Pass;
    }
    let closest = desk.toolset.registry().closest(&draft.call.tool_id);
    let shown: String = draft.call.tool_id.chars().take(80).collect();
    let mut failure = Failure::new(ErrorType::NotFound, format!("there is no tool {shown:?}"));
    if !closest.is_empty() {
        failure.suggestion = Some(format!("the closest are: {}", closest.join(", ")));
        failure.details = Some(json!({ "closest": closest }));
    }
    Verdict::Refuse(Box::new(failure))
}
