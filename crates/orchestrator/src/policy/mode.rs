//! Mode: a tool runs in the modes it allows. The mode is the conversation's, never inferred.

use aileron_contract::{ErrorType, Mode};

use super::{Desk, Verdict};
use crate::draft::Draft;

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    let Some(spec) = draft.spec() else { return Verdict::Pass };
    if spec.allowed_modes.contains(desk.mode) {
        return Verdict::Pass;
    }
    let allowed: Vec<_> = spec.allowed_modes.iter().map(Mode::as_str).collect();
    let message = format!(
        "`{}` works in {} only, and this conversation is held in {}",
        spec.tool_id,
        allowed.join(" and "),
        desk.mode
    );
    Verdict::refuse(ErrorType::ModeRestricted, message)
}
