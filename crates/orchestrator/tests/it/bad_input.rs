//! Bad input through the whole pipeline, from models, handlers and workers: each call is contained,
//! answered and recorded exactly once, and the conversation continues.

mod arguments;
mod corpora;
mod javascript;
mod panics;
mod workers;

use std::sync::Arc;

use aileron_contract::{Arguments, CallId, Mode, ToolCall, ToolResponse};
use aileron_orchestrator::{Conversation, TurnInput};
use serde_json::json;

use crate::ground::look;
use crate::stage::{Stage, ada, word};

/// A conversation that receives the input. Each call is a turn, so that calls do not affect each
/// other.
struct Target {
    stage: Stage,
    conversation: Conversation,
    sent: usize,
}

impl Target {
    /// With `strict`, which takes a whole number, and `open`, which takes any object and gives it back.
    async fn new(name: &str) -> Self {
        let open = look("open", json!({ "parameters": { "type": "object" } }));
        Self::on(Stage::new(&[look("strict", json!({})), open]), name).await
    }

    async fn on(stage: Stage, name: &str) -> Self {
        let conversation = stage.open_as(name, Mode::Text, ada()).await;
        Self { stage, conversation, sent: 0 }
    }

    async fn send(&mut self, tool: &str, args: Arguments) -> Arc<ToolResponse> {
        self.sent += 1;
        self.conversation.begin_turn(TurnInput::Written).await.unwrap();
        let call_id = CallId::new(format!("call-{:05}", self.sent)).unwrap();
        let call = ToolCall { call_id, tool_id: tool.to_owned(), args };
        let mut answers = self.conversation.call(vec![call]).await;
        assert_eq!(answers.len(), 1);
        answers.remove(0)
    }

    /// Sends argument text to both tools and to an unknown one; returns each result.
    async fn send_text(&mut self, text: &str) -> [&'static str; 3] {
        let mut words = [""; 3];
        for (tool, said) in ["strict", "open", "absent"].into_iter().zip(&mut words) {
            *said = word(&*self.send(tool, Arguments::parse(text)).await);
        }
        words
    }

    /// Checks that the conversation still works, and that every call has one record.
    async fn check(mut self) {
        let well = self.send("strict", Arguments::Value(json!({ "n": 5 }))).await;
        assert_eq!(word(&well), "ok");
        self.stage.store.flush().wait().unwrap();
        let records = self.stage.records();
        let ids: std::collections::BTreeSet<_> =
            records.iter().map(|record| record.split(' ').next().unwrap()).collect();
        assert_eq!((records.len(), ids.len()), (self.sent, self.sent));
        self.stage.store.verify_audit().unwrap();
    }
}
