//! Attacks on confirmation: no call runs that the person did not approve, an approved call runs
//! once, and the records are correct.

mod races;
mod siblings;
mod speech;
mod tokens;

use std::sync::Arc;

use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::{ConversationId, Mode};
use aileron_orchestrator::{
    ConfirmError, Conversation, LateAnswer, OpenRequest, Resolution, TurnInput,
};
use aileron_store::{MemoryStore, Store};
use serde_json::json;

use crate::ground::{Ground, act, ask, look};
use crate::stage::{Stage, ada, call, word};

/// A conversation that is attacked.
struct Scene {
    stage: Stage,
    conversation: Conversation,
    ground: Arc<Ground>,
    name: &'static str,
}

impl Scene {
    async fn new(name: &'static str, mode: Mode) -> Self {
        Self::over(Arc::new(MemoryStore::new()), name, mode).await
    }

    async fn over(store: Arc<dyn Store>, name: &'static str, mode: Mode) -> Self {
        let tools = [ask("book"), ask("pay"), act("note", json!({})), look("look", json!({}))];
        let stage = Stage::over(store, &tools);
        let conversation = stage.open_as(name, mode, ada()).await;
        conversation.begin_turn(TurnInput::Written).await.unwrap();
        Self { stage, conversation, ground: Ground::of(name), name }
    }

    /// The same conversation in another process over the same store, this much later.
    async fn restarted(self, after_ms: u64) -> Self {
        let Self { stage, name, conversation, .. } = self;
        let mode = conversation.mode();
        let tools = [ask("book"), ask("pay"), act("note", json!({})), look("look", json!({}))];
        let stage = Stage::over(stage.store, &tools);
        stage.clock.advance(after_ms);
        let conversation = stage.open_as(name, mode, ada()).await;
        Self { stage, conversation, ground: Ground::of(name), name }
    }

    /// Has the model ask for one booking.
    async fn question(&self) -> ConfirmationRequest {
        self.question_about(5).await
    }

    async fn question_about(&self, n: u64) -> ConfirmationRequest {
        let id = format!("call-book-{n}");
        let answers = self.conversation.call(vec![call(&id, "book", json!({ "n": n }))]).await;
        asked(&answers[0])
    }

    /// Answers as the person of the conversation.
    async fn answer(&self, token: &str, approve: bool) -> Result<Resolution, ConfirmError> {
        self.conversation.confirm(token, approve, &ada()).await
    }

    fn reopening(&self, mode: Mode) -> OpenRequest {
        OpenRequest { id: ConversationId::new(self.name).unwrap(), mode, person: ada() }
    }

    #[track_caller]
    fn check(&self, effects: usize, records: &[&str]) {
        let found = self.ground.effects();
        assert_eq!(found.len(), effects, "{found:?}");
        let found: Vec<_> =
            self.stage.records().into_iter().map(|line| without_id(&line)).collect();
        assert_eq!(found, records);
        self.stage.store.verify_audit().unwrap();
    }
}

fn asked(answer: &aileron_contract::ToolResponse) -> ConfirmationRequest {
    let failure = answer.failure().unwrap();
    failure.confirmation_request.clone().unwrap_or_else(|| panic!("{failure:?}"))
}

/// `confirmed-<random> completed` as `confirmed completed`.
fn without_id(line: &str) -> String {
    let (id, outcome) = line.split_once(' ').unwrap();
    let id = match (id.strip_prefix("confirmed-"), id.rsplit_once('.')) {
        (Some(_), Some((_, n))) => format!("confirmed.{n}"),
        (Some(_), None) => "confirmed".to_owned(),
        (None, _) => id.to_owned(),
    };
    format!("{id} {outcome}")
}

/// The kind of the resolution and of its answers.
fn told(resolution: Result<Resolution, ConfirmError>) -> (&'static str, Vec<&'static str>) {
    match resolution {
        Ok(Resolution::Approved(late)) => ("approved", late_words(&late)),
        Ok(Resolution::Declined(late)) => ("declined", late_words(&late)),
        Ok(Resolution::Expired(late)) => ("expired", late_words(&late)),
        Ok(Resolution::Superseded(late)) => ("superseded", late_words(&late)),
        Ok(Resolution::Known(earlier)) => told(Ok(*earlier)),
        Ok(Resolution::AskAgain { .. }) => ("ask again", Vec::new()),
        Err(ConfirmError::Forged) => ("forged", Vec::new()),
        Err(ConfirmError::NotOwner) => ("not yours", Vec::new()),
        Err(ConfirmError::Unknown) => ("unknown", Vec::new()),
        Err(ConfirmError::Decided(how)) => ("decided", vec![how.as_str()]),
        Err(ConfirmError::Store(error)) => panic!("{error}"),
    }
}

fn late_words(late: &[LateAnswer]) -> Vec<&'static str> {
    late.iter().map(|late| word(&late.answer)).collect()
}
