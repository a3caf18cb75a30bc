//! A loosened permission.

use aileron_contract::ToolSpec;

use super::permission_no_tighten::permissions;
use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A person who may not call a tool still may not call it.
    ///
    /// ## Why
    /// Permissions restrict a tool to certain people. Without one of them, more people can use
    /// it, without any notice.
    ///
    /// ## Example
    /// ```json
    /// { "permissions": { "requiresAuth": true } }
    /// { "permissions": { "requiresAuth": false } }
    /// ```
    ///
    /// ## Fix
    /// Keep the permission, or add a tool that does less and is for everyone.
    PERMISSION_NO_LOOSEN, "PERMISSION_NO_LOOSEN", "permission-loosened", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (permissions(previous), permissions(current));
    if before.requires_auth && !after.requires_auth {
        let message = "the person had to be known, does not have to be any more";
        found.push(PromiseBreach::new(&PROMISE, "/permissions/requiresAuth", message));
    }
    for scope in before.scopes.iter().filter(|scope| !after.scopes.contains(scope)) {
        let message =
            format!("the person had to hold the scope `{scope}`, does not have to any more");
        found.push(PromiseBreach::new(&PROMISE, "/permissions/scopes", message));
    }
}
