//! Permission: some tools need an authenticated person or a permission.

use aileron_contract::ErrorType;

use super::context::PolicyContext;
use super::result::PolicyResult;
use crate::candidate::CandidateCall;

pub(super) fn check(candidate: &mut CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    let Some(needed) = candidate.spec().and_then(|spec| spec.permissions.as_ref()) else {
        return PolicyResult::PASS;
    };
    if needed.requires_auth && context.person.id.is_none() {
        let message = format!("`{}` needs the person to be signed in", candidate.call.tool_id);
        return PolicyResult::refuse(ErrorType::Auth, message);
    }
    let has = |scope: &&String| context.person.scopes.contains(*scope);
    let missing: Vec<_> =
        needed.scopes.iter().filter(|scope| !has(scope)).map(String::as_str).collect();
    if missing.is_empty() {
        return PolicyResult::PASS;
    }
    let message =
        format!("`{}` needs the permission {}", candidate.call.tool_id, missing.join(", "));
    PolicyResult::refuse(ErrorType::Auth, message)
}
