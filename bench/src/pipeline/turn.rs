//! One turn of a conversation, from JSON text to JSON text.

use aileron_orchestrator::{Conversation, TurnInput};

use super::wire;

/// Makes turns whose calls are all different, like a model's.
pub(crate) struct Turn {
    tool: &'static str,
    /// How many calls a turn makes.
    pub(crate) calls: u32,
    number: u64,
}

impl Turn {
    pub(crate) fn new(tool: &'static str, calls: u32) -> Self {
        Self { tool, calls, number: 0 }
    }

    /// Runs one turn; an error answer is a defect of the benchmark.
    pub(crate) async fn run(&mut self, conversation: &Conversation) -> Result<(), String> {
        self.number += 1;
        let text = self.message(conversation.id().as_str());
        let begun = conversation.begin_turn(TurnInput::Written).await;
        begun.map_err(|error| error.to_string())?;
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
        let calls: Vec<_> = (0..self.calls).map(|at| self.call(conversation, at)).collect();
        format!(r#"{{"toolCall":{{"functionCalls":[{}]}}}}"#, calls.join(","))
    }

    fn call(&self, conversation: &str, at: u32) -> String {
        let (tool, n) = (self.tool, self.number);
        format!(
            r#"{{"id":"function-call-{conversation}-{n}-{at}","name":"{tool}","args":{{"query":"lighting lead {n}-{at}","filters":{{"type":"person","tags":["team"]}},"top_k":3,"return_fields":["snippet","url"]}}}}"#
        )
    }
}
