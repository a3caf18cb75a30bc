//! One turn of a conversation with two calls, from JSON text to JSON text.

use aileron_orchestrator::{Conversation, Input};

use super::wire;

/// Makes turns whose calls are all different, as a model's are.
pub(crate) struct Turn {
    tool: &'static str,
    number: u64,
}

impl Turn {
    pub(crate) fn new(tool: &'static str) -> Self {
        Self { tool, number: 0 }
    }

    /// Runs one turn; an answer that is an error is a fault of the benchmark.
    pub(crate) async fn run(&mut self, conversation: &Conversation) -> Result<(), String> {
        self.number += 1;
        let text = self.message(conversation.id().as_str());
        conversation.begin_turn(Input::Written).await;
        let calls = wire::read(&text)?;
        let answers = conversation.call(calls).await;
        let out = wire::write(&answers)?;
        if out.contains("\"error\"") {
            return Err(format!("expected answers, found {out}"));
        }
        std::hint::black_box(out);
        Ok(())
    }

    fn message(&self, conversation: &str) -> String {
        let (tool, n) = (self.tool, self.number);
        format!(
            r#"{{"toolCall":{{"functionCalls":[
                {{"id":"function-call-{conversation}-{n}-a","name":"{tool}","args":{{"query":"lighting lead {n}","filters":{{"type":"person","tags":["team"]}},"top_k":3}}}},
                {{"id":"function-call-{conversation}-{n}-b","name":"{tool}","args":{{"query":"render farm {n}","return_fields":["snippet","url"]}}}}
            ]}}}}"#
        )
    }
}
