//! What the person is shown in place of arguments that only an engine understands, such as the id
//! of a draft. Engines are asked outside of the conversation's lock, before anybody sees the
//! question, and what it is bound to stays as it was.

use std::sync::Arc;

use aileron_contract::envelope::ConfirmationRequest;
use aileron_store::Commit;

use super::Superseded;
use crate::call_identity::CallIdentity;
use crate::candidate::preview_of;
use crate::conversation::ConversationCore;
use crate::subject::Subject;
use crate::token;

impl ConversationCore {
    /// Rewrites what a question shows, if an engine knows more. A question that was answered or
    /// gave way meanwhile is not kept anew.
    pub(super) async fn describe(
        &self,
        call: &CallIdentity,
        request: &mut ConfirmationRequest,
    ) -> Option<Commit<()>> {
        let entry = call.entry.as_ref()?;
        let caller = self.caller(call, entry, self.mode());
        let args = Arc::new(request.args.clone());
        let platform = &self.core.platform;
        let meant = platform.meanings(&entry.spec().capabilities, caller, args)?.await;
        if meant.arguments.is_empty() {
            return None;
        }
        request.preview = preview_of(entry, &request.args, &meant.arguments, platform);
        let mut inner = self.lock();
        let question = inner.memory.questions.find_mut(token::id_of(&request.token)?)?;
        if question.preview == request.preview {
            return None;
        }
        question.preview.clone_from(&request.preview);
        question.request.preview.clone_from(&request.preview);
        question.subject = meant.subject.map(Subject::Content).or(question.subject.take());
        Some(self.put(question))
    }

    /// Takes the older questions that would commit the same thing as one that is kept.
    pub(super) fn supersede_same(&self, request: &ConfirmationRequest) -> Vec<Superseded> {
        let mut inner = self.lock();
        let question = token::id_of(&request.token).and_then(|id| inner.memory.questions.open(id));
        let same = question.map(|question| inner.memory.questions.about_same(question));
        self.take_superseded(same.unwrap_or_default(), &mut inner)
    }
}
