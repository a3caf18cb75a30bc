//! What calls were told that wait for the person, taken up again after a restart.

use std::sync::Arc;

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_runtime::envelope::failed;

use super::{HELD, waiting_failure};
use crate::candidate::CandidateCall;
use crate::conversation::ConversationCore;
use crate::question::{OpenConfirmation, WaitingCall};

impl ConversationCore {
    /// Remembers what the calls were told that wait for a question from before a restart.
    pub(crate) fn remember_waiting(&self, question: &OpenConfirmation) {
        for (n, held) in question.waiting.iter().enumerate() {
            let failure = match n {
                0 => waiting_failure(question.request.clone()),
                _ => Failure::new(ErrorType::ConfirmationRequired, HELD),
            };
            self.remember(held, failure);
        }
    }

    fn remember(&self, held: &WaitingCall, failure: Failure) {
        let candidate =
            CandidateCall::new(held.call.clone(), &self.toolset).given(held.given.clone());
        let answer = Arc::new(failed(failure, self.stamp(&candidate.call)));
        let key = held.key.as_str().into();
        self.lock().memory.deferred.keep(&key, candidate.content(), &answer);
    }
}
