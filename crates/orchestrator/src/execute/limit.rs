//! A call that several made at the same moment, of whom the rate limit of its tool has room for fewer; or
//! that could not be counted.

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{Outcome, ToolResponse};
use aileron_runtime::envelope::failed;
use aileron_store::Ticket;

use crate::call_identity::CallIdentity;
use crate::conversation::ConversationCore;
use crate::execute::CallRun;
use crate::history::{CallEnd, HistoryIndex};
use crate::key;
use crate::policy::rate_limit;

impl ConversationCore {
    /// Answers a call that was entered into the ledger and does not run. Delivered again, it is
    /// told the same.
    pub(super) async fn not_counted(
        &self,
        run: &CallRun,
        ticket: Ticket,
        failure: Failure,
    ) -> Arc<ToolResponse> {
        let call = &run.invocation.call;
        self.release_reservation(run.place, call, &failure);
        let answer = Arc::new(failed(failure, self.stamp(call)));
        let outcome = Outcome::refused_by(rate_limit::NAME);
        let settled = self.core.store.settle(ticket, outcome.clone(), answer.clone());
        // A record that cannot be written now is written when it can.
        let _ = settled.await;
        self.publish_answered(call.entry.as_deref(), outcome, &answer);
        answer
    }

    /// A call that was let through and may not run uses no budget. One that the person approved was
    /// counted when it was made.
    fn release_reservation(&self, place: HistoryIndex, call: &CallIdentity, failure: &Failure) {
        let memory = &mut self.lock().memory;
        memory.history.end(place, CallEnd::failed(failure));
        if !key::is_approved(call.call_id.as_str()) {
            memory.uncount(place, call.spec());
        }
    }
}
