//! Speech is logged in its intended order, and calls with their answers.

use aileron_capability::ManualClock;
use aileron_capability::envelope::{ResponseMeta, failed};
use aileron_contract::envelope::Failure;
use aileron_contract::{CallId, ConversationId, ErrorType};
use aileron_store::MemoryStore;
use serde_json::{Value, json};

use super::*;

struct Session {
    store: Arc<dyn Store>,
    transcript_log: TranscriptLog,
}

fn id() -> ConversationId {
    ConversationId::new("talk-1").unwrap()
}

impl Session {
    fn new() -> Self {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let clock = Arc::new(ManualClock::at(1_800_000_000_000));
        let writer = LogWriter::begin(store.clone(), clock, id(), 0);
        Self { store, transcript_log: TranscriptLog::new(4, writer) }
    }

    /// Closes it, and shows the log.
    async fn kept(mut self) -> Vec<String> {
        assert_eq!(self.transcript_log.close().await, 0);
        let entries = self.store.messages(&id(), u64::MAX, 100).await.unwrap();
        entries.iter().map(|entry| line(&entry.body)).collect()
    }
}

fn line(body: &Value) -> String {
    let message = &body["message"];
    let what = match message["from"].as_str().unwrap() {
        "person" => message["text"].to_string(),
        "model" => {
            let parts = message["parts"].as_array().unwrap().iter();
            let part = |part: &Value| match part["kind"].as_str() {
                Some("call") => part["call"]["callId"].to_string(),
                _ => part["text"].to_string(),
            };
            parts.map(part).collect::<Vec<_>>().join(" ")
        }
        "results" => {
            let answers = message["answers"].as_array().unwrap().iter();
            answers.map(|answer| answer["callId"].to_string()).collect::<Vec<_>>().join(" ")
        }
        _ => message["answer"]["callId"].to_string(),
    };
    format!("{} {}: {}", body["turn"], message["from"].as_str().unwrap(), what.replace('"', ""))
}

fn call(id: &str) -> ToolCall {
    serde_json::from_value(json!({ "callId": id, "toolId": "look", "args": {} })).unwrap()
}

fn result(id: &str) -> CallResult {
    let call_id = CallId::new(id).unwrap();
    let stamp = ResponseMeta {
        tool_id: "look",
        tool_version: None,
        registry_version: "v1",
        call_id: &call_id,
        duration_ms: 0,
        attempts: 1,
        clamped: Vec::new(),
        over_budget: false,
    };
    let response: ToolResponse = failed(Failure::new(ErrorType::NotFound, "not there"), stamp);
    CallResult { call_id, response: Arc::new(response) }
}

fn answered(id: &str) -> (ToolCall, Arc<ToolResponse>) {
    (call(id), result(id).response)
}

#[tokio::test]
async fn words_are_put_down_in_their_turns() {
    let mut session = Session::new();
    let transcript_log = &mut session.transcript_log;
    transcript_log.turn_began();
    transcript_log.person_said("find Atlas", InputKind::Spoken);
    transcript_log.model_said("Here it is.");
    transcript_log.turn_began();
    transcript_log.person_said("thanks", InputKind::Spoken);
    assert_eq!(
        session.kept().await,
        ["5 person: find Atlas", "5 model: Here it is.", "6 person: thanks"]
    );
}

#[tokio::test]
async fn words_that_come_late_stand_before_what_the_model_did_about_them() {
    let mut session = Session::new();
    let transcript_log = &mut session.transcript_log;
    transcript_log.turn_began();
    transcript_log.calls_answered(vec![answered("call-1")]);
    transcript_log.model_said("Here it is.");
    transcript_log.person_said("find Atlas", InputKind::Spoken);
    transcript_log.person_said("please", InputKind::Spoken);
    assert_eq!(
        session.kept().await,
        [
            "5 person: find Atlas",
            "5 model: call-1",
            "5 results: call-1",
            "5 model: Here it is.",
            "5 person: please"
        ]
    );
}

#[tokio::test]
async fn a_turn_that_cuts_the_model_short_comes_after_its_last_words() {
    let mut session = Session::new();
    let transcript_log = &mut session.transcript_log;
    transcript_log.turn_began();
    transcript_log.person_said("tell me about Atlas", InputKind::Spoken);
    transcript_log.model_speaks("It was");
    transcript_log.turn_began();
    transcript_log.person_said("stop", InputKind::Spoken);
    transcript_log.calls_answered(vec![answered("call-1")]);
    transcript_log.model_said("It was made in");
    transcript_log.model_said("As you wish.");
    assert_eq!(
        session.kept().await,
        [
            "5 person: tell me about Atlas",
            "5 model: call-1",
            "5 results: call-1",
            "5 model: It was made in",
            "6 person: stop",
            "6 model: As you wish."
        ]
    );
}

#[tokio::test]
async fn last_words_that_never_come_hold_nothing_up() {
    let mut session = Session::new();
    let transcript_log = &mut session.transcript_log;
    transcript_log.model_speaks("It was");
    transcript_log.turn_began();
    transcript_log.person_said("stop", InputKind::Spoken);
    transcript_log.model_interrupted();
    transcript_log.model_said("As you wish.");
    transcript_log.model_speaks(" ");
    transcript_log.turn_began();
    transcript_log.person_said("thanks", InputKind::Spoken);
    transcript_log.model_speaks("And");
    (0..MAX_HELD).for_each(|_| transcript_log.turn_began());
    transcript_log.turn_began();
    transcript_log.person_said("hello?", InputKind::Spoken);
    assert_eq!(
        session.kept().await,
        ["5 person: stop", "5 model: As you wish.", "6 person: thanks", "39 person: hello?"]
    );
}

#[tokio::test]
async fn a_turn_whose_words_never_come_is_put_down_without_them() {
    let mut session = Session::new();
    let transcript_log = &mut session.transcript_log;
    transcript_log.turn_began();
    transcript_log.model_said("Hello?");
    transcript_log.turn_began();
    (0..MAX_HELD + 2).for_each(|n| transcript_log.model_said(&format!("{n}")));
    let kept = session.kept().await;
    assert_eq!(kept.len(), MAX_HELD + 3, "{kept:?}");
    assert_eq!(kept[..2], ["5 model: Hello?", "6 model: 0"]);
}

#[tokio::test]
async fn calls_of_one_message_are_put_down_with_their_answers() {
    let mut session = Session::new();
    let transcript_log = &mut session.transcript_log;
    transcript_log.turn_began();
    transcript_log.person_said("find both", InputKind::Spoken);
    transcript_log.person_said("quickly", InputKind::Spoken);
    transcript_log.calls_answered(vec![answered("call-1"), answered("call-2")]);
    transcript_log.calls_answered(Vec::new());
    transcript_log.answered_late(&result("call-2"));
    assert_eq!(
        session.kept().await,
        [
            "5 person: find both",
            "5 person: quickly",
            "5 model: call-1 call-2",
            "5 results: call-1 call-2",
            "5 late: call-2"
        ]
    );
}

#[tokio::test]
async fn what_somebody_else_adds_meanwhile_stays() {
    let mut session = Session::new();
    let theirs = json!({ "turn": 4, "message": { "from": "person", "text": "in writing" } });
    drop(session.store.append_messages(&id(), 0, vec![Arc::new(theirs)], 1).await);
    session.transcript_log.turn_began();
    session.transcript_log.person_said("aloud", InputKind::Spoken);
    assert_eq!(session.kept().await, ["4 person: in writing", "5 person: aloud"]);
}

#[tokio::test]
async fn messages_say_whether_they_were_spoken() {
    let mut session = Session::new();
    let transcript_log = &mut session.transcript_log;
    transcript_log.turn_began();
    transcript_log.calls_answered(vec![answered("call-1")]);
    transcript_log.model_speaks("Here");
    transcript_log.turn_began();
    transcript_log.person_said("in writing", InputKind::Written);
    transcript_log.turn_began();
    transcript_log.person_said("aloud", InputKind::Spoken);
    transcript_log.model_said("Here it is.");
    assert_eq!(transcript_log.close().await, 0);
    let entries = session.store.messages(&id(), u64::MAX, 100).await.unwrap();
    let spoken =
        |entry: &aileron_store::LogEntry| (line(&entry.body), entry.body["spoken"].clone());
    assert_eq!(
        entries.iter().map(spoken).collect::<Vec<_>>(),
        [
            ("5 model: call-1".to_owned(), Value::Null),
            ("5 results: call-1".to_owned(), Value::Null),
            ("5 model: Here it is.".to_owned(), json!(true)),
            ("6 person: in writing".to_owned(), Value::Null),
            ("7 person: aloud".to_owned(), json!(true)),
        ]
    );
}

#[tokio::test]
async fn silence_is_not_put_down() {
    let mut session = Session::new();
    session.transcript_log.turn_began();
    session.transcript_log.person_said(" ", InputKind::Spoken);
    session.transcript_log.model_said("");
    assert_eq!(session.kept().await, [""; 0]);
}
