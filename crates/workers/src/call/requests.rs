//! Requests of a call to capabilities.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use aileron_capability::FaultCode;
use aileron_capability::foreign::{CapabilityShape, ContextHost, Host, HostFault, contained};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::message::{ReplyAnswer, Request};

/// Runs one method of a capability, if the tool declares it; a panic of the host fails only this
/// request.
pub(super) fn answer(
    host: &Arc<ContextHost>,
    shapes: &[CapabilityShape],
    request: Request,
) -> BoxFuture<'static, (u64, ReplyAnswer)> {
    let Request { request, capability, method, args } = request;
    if !CapabilityShape::any_has(shapes, (&capability, &method), |shape| &shape.methods) {
        let undeclared = refused("the tool does not declare this capability");
        return std::future::ready((request, undeclared)).boxed();
    }
    let failed = || Err(fault(FaultCode::Unavailable, "the capability failed"));
    let running =
        contained(std::future::ready(failed()).boxed(), || host.call(&capability, &method, args));
    async move {
        let answer = AssertUnwindSafe(running).catch_unwind().await;
        (request, answer.unwrap_or_else(|_| failed()).into())
    }
    .boxed()
}

/// The answer to a request beyond those that a call may have open.
pub(super) fn too_many() -> ReplyAnswer {
    refused("the call has too many requests open at once; await some of them first")
}

/// The answer to a request whose arguments cannot be read.
pub(super) fn unreadable(why: &str) -> ReplyAnswer {
    refused(&format!("the request cannot be read: {why}"))
}

fn refused(message: &str) -> ReplyAnswer {
    ReplyAnswer::Fault(fault(FaultCode::Refused, message))
}

fn fault(code: FaultCode, message: &str) -> HostFault {
    HostFault { code: code.as_str().to_owned(), message: message.to_owned(), is_diagnosis: true }
}
