//! A model that follows a conversation script. It keeps nothing: where it is in the
//! script follows from what it has seen, so a client may resume or send all again.

mod position;

use aileron_script::{Call, Script, What};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use self::position::Position;
use crate::brain::{Asked, Brain, Item, Scene, Step};
use crate::speech::Sound;

/// Said when the person goes on after the last line.
const OVER: &str = "That is the end of the script.";

/// Does what the lines of a script say that the model does.
#[derive(Debug, Clone)]
pub struct ScriptBrain {
    lines: Vec<Line>,
}

/// A line that concerns the model.
#[derive(Debug, Clone, PartialEq)]
enum Line {
    Person(String),
    Thinks(String),
    Says(String),
    Calls(Vec<Call>),
}

impl ScriptBrain {
    pub fn new(script: &Script) -> Self {
        Self { lines: script.steps.iter().filter_map(|step| line(&step.what)).collect() }
    }

    fn steps(&self, scene: &Scene) -> Vec<Step> {
        let position = Position::find(&self.lines, &scene.items);
        if position.is_past_the_end() {
            return vec![Step::Say(OVER.to_owned())];
        }
        let token = newest_token(&scene.items);
        let mut steps = Vec::new();
        for line in self.lines.iter().skip(position.next_line()) {
            match line {
                Line::Person(_) => break,
                Line::Thinks(text) => steps.push(Step::Think(text.clone())),
                Line::Says(text) => steps.push(Step::Say(text.clone())),
                Line::Calls(calls) => {
                    let asked = calls.iter().map(|call| asked(call, token.as_deref()));
                    steps.push(Step::Call(asked.collect()));
                    break;
                }
            }
        }
        steps
    }
}

impl Brain for ScriptBrain {
    fn reply(&self, scene: Scene) -> BoxFuture<'_, Vec<Step>> {
        std::future::ready(self.steps(&scene)).boxed()
    }

    fn words_for_sound(&self, _: &Sound, scene: &Scene) -> Option<String> {
        let position = Position::find(&self.lines, &scene.items);
        self.lines.iter().skip(position.next_line()).find_map(|line| match line {
            Line::Person(text) => Some(text.clone()),
            _ => None,
        })
    }
}

fn line(what: &What) -> Option<Line> {
    match what {
        What::Writes { text } | What::Says { text, .. } => Some(Line::Person(text.clone())),
        What::ModelThinks(text) => Some(Line::Thinks(text.clone())),
        What::ModelSays(text) => Some(Line::Says(text.clone())),
        What::Calls(calls) | What::Starts(calls) => Some(Line::Calls(calls.clone())),
        _ => None,
    }
}

/// A call of the script; arguments that are no object cannot be asked for, and are left out.
fn asked(call: &Call, token: Option<&str>) -> Asked {
    let text = token.map_or_else(|| call.args.clone(), |token| call.args.replace("$token", token));
    let args: Map<String, Value> = serde_json::from_str(&text).unwrap_or_default();
    Asked { id: Some(call.id.clone()), name: call.tool.clone(), args }
}

/// The token of the newest question among the results.
fn newest_token(items: &[Item]) -> Option<String> {
    items.iter().rev().find_map(|item| match item {
        Item::Returned(returned) => token_in(&returned.result),
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
