//! A test conversation with the agent: the shipped tools and scripted results.

use std::fs;
use std::path::Path;

use aileron_contract::CallId;
use serde_json::{Value, json};

use crate::decide;
use aileron_contract::model_input::{
    Channel, HistoryItem, ModelAction, ModelCall, ModelCallResult, ModelInput, PlannedCall,
    ToolDeclaration,
};

/// The date in the instructions.
pub(super) const INSTRUCTIONS: &str =
    "You are helpful. Today is Tuesday, 2026-02-03T09:00:00+01:00.";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Text,
    Voice,
}

/// The shipped tools of a mode.
pub(super) fn shipped(mode: Mode) -> Vec<ToolDeclaration> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools");
    let name = if mode == Mode::Text { "text" } else { "voice" };
    let mut tools: Vec<ToolDeclaration> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| fs::read_to_string(entry.unwrap().path().join("schema.json")).ok())
        .map(|text| serde_json::from_str::<Value>(&text).unwrap())
        .filter(|schema| schema["allowedModes"].as_array().unwrap().contains(&name.into()))
        .map(|schema| ToolDeclaration {
            name: schema["toolId"].as_str().unwrap().to_owned(),
            description: schema["description"].as_str().unwrap().to_owned(),
            parameters: schema["parameters"].clone(),
        })
        .collect();
    tools.sort_by(|one, other| one.name.cmp(&other.name));
    assert!(tools.len() > 4, "the shipped tools were not found");
    tools
}

/// A conversation with the agent.
pub(super) struct Stage {
    pub(super) input: ModelInput,
    channel: Channel,
    calls: usize,
    /// The transcript of everything that happened.
    pub(super) transcript: String,
}

impl Stage {
    pub(super) fn new(mode: Mode) -> Self {
        let channel = if mode == Mode::Text { Channel::Written } else { Channel::Spoken };
        let input = ModelInput {
            instructions: INSTRUCTIONS.into(),
            tools: shipped(mode),
            items: Vec::new(),
        };
        Self { input, channel, calls: 0, transcript: String::new() }
    }

    /// The first actions of the agent after these words.
    pub(super) fn hear(&mut self, words: &str) -> Vec<ModelAction> {
        self.transcript.push_str(&format!("\nperson: {words}\n"));
        self.input.items.push(HistoryItem::Heard { text: words.to_owned(), channel: self.channel });
        self.react()
    }

    /// The actions of the agent after the results of its last calls.
    pub(super) fn answer(&mut self, results: &[Value]) -> Vec<ModelAction> {
        let open: Vec<ModelCall> = self
            .input
            .items
            .iter()
            .rev()
            .map_while(|item| match item {
                HistoryItem::Called(call) => Some(call.clone()),
                _ => None,
            })
            .collect();
        for (call, result) in open.iter().rev().zip(results) {
            self.transcript.push_str(&format!("result: {}\n", shortened(result)));
            let returned = ModelCallResult {
                id: call.id.clone(),
                name: call.name.clone(),
                result: result.clone(),
            };
            self.input.items.push(HistoryItem::Returned(returned));
        }
        self.react()
    }

    /// Words, answered by as many made-up results as it takes.
    pub(super) fn turn(&mut self, words: &str, world: impl Fn(&ModelCall) -> Value) {
        let mut steps = self.hear(words);
        for _ in 0..8 {
            let calls = self.open();
            if calls.is_empty() {
                return;
            }
            let results: Vec<Value> = calls.iter().map(&world).collect();
            steps = self.answer(&results);
        }
        panic!("the agent goes on calling: {steps:?}");
    }

    /// The calls that wait for a result, the first one first.
    pub(super) fn open(&self) -> Vec<ModelCall> {
        let calls = self.input.items.iter().rev().map_while(|item| match item {
            HistoryItem::Called(call) => Some(call.clone()),
            _ => None,
        });
        let mut calls: Vec<ModelCall> = calls.collect();
        calls.reverse();
        calls
    }

    fn react(&mut self) -> Vec<ModelAction> {
        let steps = decide(&self.input);
        for step in &steps {
            match step {
                ModelAction::Think(_) => {}
                ModelAction::Say(text) => {
                    self.transcript
                        .push_str(&format!("agent: {}\n", text.replace('\n', "\n       ")));
                    self.input.items.push(HistoryItem::Said { text: text.clone() });
                }
                ModelAction::Call(calls) => calls.iter().for_each(|call| self.call(call)),
            }
        }
        steps
    }

    fn call(&mut self, asked: &PlannedCall) {
        self.calls += 1;
        let id = CallId::new(format!("call_{}", self.calls)).unwrap();
        let args = Value::Object(asked.args.clone());
        self.transcript.push_str(&format!("call: {} {args}\n", asked.name));
        self.input.items.push(HistoryItem::Called(ModelCall {
            id,
            name: asked.name.clone(),
            args: asked.args.clone(),
        }));
    }
}

fn shortened(value: &Value) -> String {
    let text = value.to_string();
    if text.len() <= 160 {
        text
    } else {
        format!("{}…", text.chars().take(160).collect::<String>())
    }
}

/// A failure in the form that a client sends.
pub(super) fn failed(code: &str, message: &str) -> Value {
    json!({ "error": { "code": code, "message": message, "retryable": false } })
}

/// A result in the form that a client sends.
pub(super) fn done(data: Value) -> Value {
    json!({ "output": data })
}
