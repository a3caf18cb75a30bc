//! Logs where to approve a call that waits for a confirmation.

use std::net::SocketAddr;
use std::sync::Arc;

use aileron_contract::ConversationId;
use aileron_contract::envelope::ConfirmationRequest;
use aileron_orchestrator::{ConversationEvent, EventSource, Observer};

/// The person who must approve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Approver {
    /// A local person without authentication, so the log may show the whole command.
    Here,
    /// An authenticated person, whose token must not be logged.
    SignedIn,
}

/// An observer that logs each confirmation request.
#[derive(Debug)]
pub(super) struct Approvals {
    pub(super) address: SocketAddr,
    pub(super) approver: Approver,
    pub(super) inner: Arc<dyn Observer>,
}

impl Observer for Approvals {
    fn on_event(&self, source: EventSource<'_>, event: ConversationEvent) {
        if let ConversationEvent::ConfirmationRequested(request) = &event {
            self.tell(source.conversation, request);
        }
        self.inner.on_event(source, event);
    }
}

impl Approvals {
    fn tell(&self, conversation: &ConversationId, request: &ConfirmationRequest) {
        let (tool, conversation) = (request.tool.as_str(), conversation.as_str());
        let approve = command(self.address, self.approver, conversation, &request.token);
        tracing::info!(
            conversation,
            tool,
            // Unchanged, so that it can be copied into a shell.
            %approve,
            "A call waits for the person's approval; `false` declines it."
        );
    }
}

fn command(address: SocketAddr, approver: Approver, conversation: &str, token: &str) -> String {
    let (token, sign_in) = match approver {
        Approver::Here => (token, ""),
        Approver::SignedIn => ("$QUESTION", "-H \"authorization: Bearer $TOKEN\" "),
    };
    format!(
        "curl http://{address}/v1/conversations/{conversation}/confirmations/{token} {sign_in}\
         -H 'content-type: application/json' -d '{{\"approve\": true}}'"
    )
}

#[cfg(test)]
#[path = "approvals_tests.rs"]
mod tests;
