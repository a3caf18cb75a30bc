//! What calls were told that wait for the person or were denied, taken up again after a restart.

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{Arguments, ErrorType, ToolCall};
use aileron_runtime::envelope::failed;

use super::{HELD, waiting_failure};
use crate::conversation::Shared;
use crate::draft::Draft;
use crate::question::{Decided, Question};

impl Shared {
    /// Remembers what the calls were told that wait for a question from before a restart.
    pub(crate) fn remember_waiting(&self, question: &Question) {
        for (n, held) in question.waiting.iter().enumerate() {
            let failure = match n {
                0 => waiting_failure(question.request.clone()),
                _ => Failure::new(ErrorType::ConfirmationRequired, HELD),
            };
            self.remember(&held.call, &held.key, failure);
        }
    }

    /// Remembers what the calls were told that the person said no to before a restart.
    pub(crate) fn remember_denied(&self) {
        let decided = self.lock().memory.questions.decided().clone();
        for Decided { call_id, tool_id, key, denied, .. } in decided {
            let Some(why) = denied else { continue };
            let call = ToolCall { call_id, tool_id, args: Arguments::default() };
            self.remember(&call, &key, Failure::new(ErrorType::Denied, why));
        }
    }

    fn remember(&self, call: &ToolCall, key: &str, failure: Failure) {
        let draft = Draft::new(call.clone(), &self.toolset);
        let answer = Arc::new(failed(failure, self.stamp(&draft.call)));
        self.lock().memory.refused.keep_persons(&key.into(), &answer);
    }
}
