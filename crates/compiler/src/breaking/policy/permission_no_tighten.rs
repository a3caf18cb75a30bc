//! A tightened permission.

use std::borrow::Cow;

use aileron_contract::ToolSpec;
use aileron_contract::spec::Permissions;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A person who may call a tool still may call it.
    ///
    /// ## Why
    /// A person who is not authenticated, or lacks the required scope, is refused.
    ///
    /// ## Example
    /// ```json
    /// { "permissions": { "scopes": ["calendar.read"] } }
    /// { "permissions": { "scopes": ["calendar.read", "calendar.write"] } }
    /// ```
    ///
    /// ## Fix
    /// Move the part that needs the permission into a separate tool.
    PERMISSION_NO_TIGHTEN, "PERMISSION_NO_TIGHTEN", "permission-tightened", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (permissions(previous), permissions(current));
    if after.requires_auth && !before.requires_auth {
        let message = "the person must be known, did not have to be";
        found.push(PromiseBreach::new(&PROMISE, "/permissions/requiresAuth", message));
    }
    for scope in after.scopes.iter().filter(|scope| !before.scopes.contains(scope)) {
        let message = format!("the person must hold the scope `{scope}`, did not have to");
        found.push(PromiseBreach::new(&PROMISE, "/permissions/scopes", message));
    }
}

/// Missing permissions require nothing.
pub(super) fn permissions(spec: &ToolSpec) -> Cow<'_, Permissions> {
    spec.permissions.as_ref().map_or_else(|| Cow::Owned(Permissions::default()), Cow::Borrowed)
}
