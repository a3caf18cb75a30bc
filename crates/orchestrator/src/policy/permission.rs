//! Permission: some tools need to know who asks, or that they may.

use aileron_contract::ErrorType;

use super::{Desk, Verdict};
use crate::draft::Draft;

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    let Some(needed) = draft.spec().and_then(|spec| spec.permissions.as_ref()) else {
        return Verdict::Pass;
    };
    if needed.requires_auth && desk.person.id.is_none() {
        let message = format!("`{}` needs the person to be signed in", draft.call.tool_id);
        return Verdict::refuse(ErrorType::Auth, message);
    }
    let has = |scope: &&String| desk.person.scopes.contains(*scope);
    let missing: Vec<_> =
        needed.scopes.iter().filter(|scope| !has(scope)).map(String::as_str).collect();
    if missing.is_empty() {
        return Verdict::Pass;
    }
    let message = format!("`{}` needs the permission {}", draft.call.tool_id, missing.join(", "));
    Verdict::refuse(ErrorType::Auth, message)
}
