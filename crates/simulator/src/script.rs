//! A model that follows a conversation script. It has no state: its position in the script follows
//! from its input, so a client may resume or resend the history.

mod position;

use aileron_script::{Script, ScriptCall, StepKind};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use self::position::Position;
use crate::simulated_model::{HistoryItem, ModelAction, ModelInput, PlannedCall, SimulatedModel};
use crate::speech::UtteranceAudio;

/// The answer to a person who continues after the last line.
const OVER: &str = "That is the end of the script.";

/// Performs the model's lines of a script.
#[derive(Debug, Clone)]
pub struct ScriptBrain {
    lines: Vec<ScriptLine>,
}

/// A line that concerns the model.
#[derive(Debug, Clone, PartialEq)]
enum ScriptLine {
    Person(String),
    Thinks(String),
    Says(String),
    Calls(Vec<ScriptCall>),
}

impl ScriptBrain {
    pub fn new(script: &Script) -> Self {
        Self { lines: script.steps.iter().filter_map(|step| line(&step.what)).collect() }
    }

    fn steps(&self, scene: &ModelInput) -> Vec<ModelAction> {
        let position = Position::find(&self.lines, &scene.items);
        if position.is_past_the_end() {
            return vec![ModelAction::Say(OVER.to_owned())];
        }
        let token = newest_token(&scene.items);
        let mut steps = Vec::new();
        for line in self.lines.iter().skip(position.next_line()) {
            match line {
                ScriptLine::Person(_) => break,
                ScriptLine::Thinks(text) => steps.push(ModelAction::Think(text.clone())),
                ScriptLine::Says(text) => steps.push(ModelAction::Say(text.clone())),
                ScriptLine::Calls(calls) => {
                    let asked = calls.iter().map(|call| asked(call, token.as_deref()));
                    steps.push(ModelAction::Call(asked.collect()));
                    break;
                }
            }
        }
        steps
    }
}

impl SimulatedModel for ScriptBrain {
    fn reply(&self, scene: ModelInput) -> BoxFuture<'_, Vec<ModelAction>> {
        std::future::ready(self.steps(&scene)).boxed()
    }

    fn transcribe(&self, _: &UtteranceAudio, scene: &ModelInput) -> Option<String> {
        let position = Position::find(&self.lines, &scene.items);
        self.lines.iter().skip(position.next_line()).find_map(|line| match line {
            ScriptLine::Person(text) => Some(text.clone()),
            _ => None,
        })
    }
}

fn line(what: &StepKind) -> Option<ScriptLine> {
    match what {
        StepKind::Writes { text } | StepKind::Says { text, .. } => {
            Some(ScriptLine::Person(text.clone()))
        }
        StepKind::ModelThinks(text) => Some(ScriptLine::Thinks(text.clone())),
        StepKind::ModelSays(text) => Some(ScriptLine::Says(text.clone())),
        StepKind::Calls(calls) | StepKind::Starts(calls) => Some(ScriptLine::Calls(calls.clone())),
        _ => None,
    }
}

/// A call of the script; arguments that are not an object are left out.
fn asked(call: &ScriptCall, token: Option<&str>) -> PlannedCall {
    let text = token.map_or_else(|| call.args.clone(), |token| call.args.replace("$token", token));
    let args: Map<String, Value> = serde_json::from_str(&text).unwrap_or_default();
    PlannedCall { id: Some(call.id.clone()), name: call.tool.clone(), args }
}

/// The token of the newest confirmation among the results.
fn newest_token(items: &[HistoryItem]) -> Option<String> {
    items.iter().rev().find_map(|item| match item {
        HistoryItem::Returned(returned) => token_in(&returned.result),
        _ => None,
    })
}

fn token_in(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.starts_with('{') => {
            token_in(&serde_json::from_str::<Value>(text).ok()?)
        }
        Value::Object(fields) => {
            let request = fields.get("confirmation_request");
            let token = request.and_then(|request| request["token"].as_str());
            token.map(str::to_owned).or_else(|| fields.values().find_map(token_in))
        }
        Value::Array(values) => values.iter().find_map(token_in),
        _ => None,
    }
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
