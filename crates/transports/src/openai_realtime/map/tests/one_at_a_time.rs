//! Random conversations against a strict server: in any order of events, there are never two of our
//! responses at once, and no input is left unanswered.

use std::collections::VecDeque;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::samples::sunny;

/// The next event.
#[derive(Debug, Clone, Copy)]
enum Step {
    Text,
    Say,
    AnswerOldest,
    /// The server takes one of our frames.
    ServerReads,
    /// We take one of the server's frames.
    WeRead,
    SpeechStarts,
    SpeechStops,
    Finish {
        calls: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => Just(Step::Text),
        1 => Just(Step::Say),
        3 => Just(Step::AnswerOldest),
        6 => Just(Step::ServerReads),
        6 => Just(Step::WeRead),
        1 => Just(Step::SpeechStarts),
        2 => Just(Step::SpeechStops),
        3 => (0usize..3).prop_map(|calls| Step::Finish { calls }),
    ]
}

/// The server, as strict as the real one about responses, and the frames on their way.
#[derive(Default)]
struct Server {
    to_server: VecDeque<Value>,
    to_us: VecDeque<Value>,
    active: Option<(String, Value)>,
    speaking: bool,
    responses: u32,
    calls: u32,
    /// Items and responses in the order the server took them.
    log: Vec<&'static str>,
}

impl Server {
    fn tell(&mut self, kind: &str, mut event: Value) {
        event["type"] = kind.into();
        self.to_us.push_back(event);
    }

    fn begin(&mut self, metadata: Value) {
        self.responses += 1;
        let id = format!("resp_{}", self.responses);
        // An out-of-band response does not see the conversation, so it is logged separately.
        let entry = if metadata["aileron"] == "say" { "say" } else { "response" };
        self.log.push(entry);
        self.tell("response.created", json!({ "response": { "id": id, "metadata": metadata } }));
        self.active = Some((id, metadata));
    }

    fn end(&mut self, status: &str, calls: usize) {
        let Some((id, metadata)) = self.active.take() else { return };
        let calls = if metadata["aileron"] == "say" { 0 } else { calls };
        let output: Vec<_> = (0..calls).map(|_| self.call()).collect();
        let response =
            json!({ "id": id, "status": status, "metadata": metadata, "output": output });
        self.tell("response.done", json!({ "response": response }));
    }

    fn call(&mut self) -> Value {
        self.calls += 1;
        let (id, call) = (format!("item_{}", self.calls), format!("call_{}", self.calls));
        json!({ "id": id, "type": "function_call", "status": "completed", "call_id": call, "name": "get_weather", "arguments": "{}" })
    }

    fn read(&mut self) {
        let Some(event) = self.to_server.pop_front() else { return };
        match event["type"].as_str().unwrap() {
            "conversation.item.create" => {
                self.log.push("item");
                self.tell("conversation.item.added", json!({ "item": event["item"] }));
            }
            "response.create" if self.active.is_some() => {
                let code = "conversation_already_has_active_response";
                let error = json!({ "type": "invalid_request_error", "code": code, "message": "", "event_id": event["event_id"] });
                self.tell("error", json!({ "error": error }));
            }
            "response.create" => self.begin(event["response"]["metadata"].clone()),
            "response.cancel" => self.end("cancelled", 0),
            other => panic!("{other} was not expected"),
        }
    }

    fn speech(&mut self, starts: bool) {
        if starts == self.speaking {
            return;
        }
        self.speaking = starts;
        if starts {
            self.tell("input_audio_buffer.speech_started", json!({}));
            if self.active.as_ref().is_some_and(|(_, metadata)| metadata["aileron"] != "say") {
                self.end("cancelled", 0);
            }
            return;
        }
        self.tell("input_audio_buffer.speech_stopped", json!({}));
        self.log.push("item");
        // One that runs is cut short by what was said; the server then begins its own.
        self.end("cancelled", 0);
        self.begin(Value::Null);
    }
}

#[derive(Default)]
struct Talk {
    line: Option<ProtocolHarness<OpenaiRealtime>>,
    server: Server,
    open: VecDeque<String>,
    reported: u32,
    asked: i32,
}

impl Talk {
    fn line(&mut self) -> &mut ProtocolHarness<OpenaiRealtime> {
        self.line.get_or_insert_with(ready)
    }

    fn settle(&mut self, effects: Effects) {
        for frame in effects.frames {
            let aileron_contract::transport::OutgoingFrame::Text(text) = frame else { continue };
            let event: Value = serde_json::from_str(&text).unwrap();
            if event["type"] == "response.create" {
                self.asked += 1;
                assert!(self.asked <= 1, "two of ours at once");
            }
            self.server.to_server.push_back(event);
        }
        for event in effects.events {
            if let ProviderEvent::ToolCalls(calls) = event {
                self.reported += u32::try_from(calls.len()).unwrap();
                self.open.extend(calls.into_iter().map(|call| call.call_id.into()));
            }
        }
    }

    fn read(&mut self) {
        let Some(event) = self.server.to_us.pop_front() else { return };
        let ours = event["response"]["metadata"]["aileron"].is_string();
        let refused = event["type"] == "error";
        if refused || (ours && event["type"] == "response.done") {
            self.asked -= 1;
        }
        let effects = self.line().receive(event.to_string());
        self.settle(effects);
    }

    fn answer(&mut self) {
        let Some(call) = self.open.pop_front() else { return };
        let effects = self.line().command(Command::Results(&[sunny(&call)]));
        self.settle(effects);
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Text => {
                let effects = self.line().command(Command::Text("hi"));
                self.settle(effects);
            }
            Step::Say => {
                let effects = self.line().command(Command::Say("One moment."));
                self.settle(effects);
            }
            Step::AnswerOldest => self.answer(),
            Step::ServerReads => self.server.read(),
            Step::WeRead => self.read(),
            Step::SpeechStarts => self.server.speech(true),
            Step::SpeechStops => self.server.speech(false),
            Step::Finish { calls } => self.server.end("completed", calls),
        }
    }

    /// Lets everything come to rest: the person is silent, calls are answered, responses end.
    fn rest(&mut self) {
        for _ in 0..2_000 {
            self.server.speech(false);
            self.server.read();
            self.read();
            self.answer();
            if self.server.to_server.is_empty() && self.server.to_us.is_empty() {
                self.server.end("completed", 0);
            }
        }
        assert!(self.server.to_server.is_empty() && self.server.to_us.is_empty());
        assert_eq!((self.server.active.is_some(), self.open.len()), (false, 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn nothing_is_left_unsaid(steps in proptest::collection::vec(step(), 0..60)) {
        let mut talk = Talk::default();
        for step in steps {
            talk.step(step);
        }
        talk.rest();
        prop_assert_eq!(talk.reported, talk.server.calls);
        let log: Vec<_> = talk.server.log.iter().filter(|entry| **entry != "say").collect();
        prop_assert!(log.last().is_none_or(|entry| **entry == "response"), "{:?}", talk.server.log);
    }
}
