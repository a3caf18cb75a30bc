//! The course of a turn from its events.

use aileron_contract::ErrorType;
use aileron_contract::envelope::{ConfirmationRequest, Failure, Meta};
use aileron_orchestrator::{AnswerChannel, ConfirmationOutcome, InputKind};
use serde_json::json;

use super::turn_trace::MAX_SPANS;
use super::*;

const TOKEN: &str = "aHgKf8KnvX9RK_47jFWL1A.pM9FuS5-fHMW09Crur0KLfshupDKTvd1rpWhaYuuAJk";

fn conversation(id: &str) -> ConversationId {
    ConversationId::new(id).unwrap()
}

fn call_id() -> CallId {
    CallId::new("call-000001").unwrap()
}

fn begin(traces: &TurnTraces, id: &str, turn: u64, now: u64) {
    let input = InputKind::Written;
    let began = ConversationEvent::TurnBegan { turn, mode: Mode::Text, input };
    traces.on_event(&conversation(id), &began, now);
}

fn decide(traces: &TurnTraces, turn: u64, now: u64) {
    let decided = DecidedEvent {
        call_id: call_id(),
        tool: "kb_search".to_owned(),
        turn,
        args: json!({"query": "x"}),
        clamped: Vec::new(),
        trail: Vec::new(),
    };
    let decided = ConversationEvent::Decided(Arc::new(decided));
    traces.on_event(&conversation("c"), &decided, now);
}

fn meta() -> Meta {
    serde_json::from_value(json!({
        "toolId": "kb_search", "toolVersion": "1.0.0", "registryVersion": "1.0.x",
        "responseSchemaVersion": "1.0.0", "callId": "call-000001", "duration": 3, "attempts": 1,
    }))
    .unwrap()
}

fn answer(traces: &TurnTraces, answer: ToolResponse, outcome: Outcome, now: u64) {
    let answered = ConversationEvent::Answered { outcome, answer: Arc::new(answer) };
    traces.on_event(&conversation("c"), &answered, now);
}

fn spans(traces: &TurnTraces, turn: u64) -> Vec<(SpanKind, u64, Option<u64>)> {
    let turn = traces.turn(&conversation("c"), turn).unwrap();
    turn.spans.iter().map(|span| (span.kind, span.from, span.to)).collect()
}

#[test]
fn a_call_waits_for_its_slot_and_then_works() {
    let traces = TurnTraces::default();
    begin(&traces, "c", 1, 10);
    decide(&traces, 1, 20);
    let started = ConversationEvent::Started { call_id: call_id(), tool: "kb_search".to_owned() };
    traces.on_event(&conversation("c"), &started, 25);
    let success = ToolResponse::Success { data: json!({}), intents: Vec::new(), meta: meta() };
    answer(&traces, success, Outcome::Completed, 40);
    assert_eq!(
        spans(&traces, 1),
        [(SpanKind::WaitingForSlot, 20, Some(25)), (SpanKind::Working, 25, Some(40))]
    );
    let turn = traces.turn(&conversation("c"), 1).unwrap();
    assert_eq!(turn.calls[0].outcome, Some(Outcome::Completed));
    assert_eq!((turn.calls[0].started_at, turn.calls[0].finished_at), (Some(25), Some(40)));
}

#[test]
fn a_call_that_needs_approval_waits_for_the_person_until_the_confirmation_is_closed() {
    let traces = TurnTraces::default();
    begin(&traces, "c", 1, 10);
    decide(&traces, 1, 20);
    let failure = Failure::new(ErrorType::ConfirmationRequired, "asked");
    let request = ConfirmationRequest {
        token: TOKEN.to_owned(),
        expires: 99,
        tool: aileron_contract::ToolId::new("kb_search").unwrap(),
        args: json!({}),
        preview: "Do it?".to_owned(),
    };
    let requested = ConversationEvent::ConfirmationRequested(Box::new(request));
    traces.on_event(&conversation("c"), &requested, 21);
    let asked = ToolResponse::Failure { error: failure, meta: meta() };
    answer(&traces, asked, Outcome::refused_by("confirmation"), 21);
    assert_eq!(spans(&traces, 1), [(SpanKind::WaitingForPerson, 21, None)]);
    let id = traces.turn(&conversation("c"), 1).unwrap().calls[0].confirmation.clone().unwrap();
    let closed = ConversationEvent::ConfirmationClosed {
        token_id: id,
        how: ConfirmationOutcome::Approved,
        channel: AnswerChannel::Click,
    };
    traces.on_event(&conversation("c"), &closed, 60);
    assert_eq!(spans(&traces, 1), [(SpanKind::WaitingForPerson, 21, Some(60))]);
}

#[test]
fn a_call_that_is_retried_works_twice_with_a_wait_between() {
    let traces = TurnTraces::default();
    begin(&traces, "c", 1, 10);
    decide(&traces, 1, 20);
    let started = ConversationEvent::Started { call_id: call_id(), tool: "kb_search".to_owned() };
    traces.on_event(&conversation("c"), &started, 20);
    let retrying = ConversationEvent::Retrying { call_id: call_id(), at: 50 };
    traces.on_event(&conversation("c"), &retrying, 30);
    let success = ToolResponse::Success { data: json!({}), intents: Vec::new(), meta: meta() };
    answer(&traces, success, Outcome::Completed, 60);
    assert_eq!(
        spans(&traces, 1),
        [
            (SpanKind::Working, 20, Some(30)),
            (SpanKind::Retry, 30, Some(50)),
            (SpanKind::Working, 50, Some(60)),
        ]
    );
}

#[test]
fn speech_belongs_to_the_turn_that_it_begins() {
    let traces = TurnTraces::default();
    traces.begin_speech(&conversation("c"), 5);
    traces.end_span(&conversation("c"), SpanKind::PersonSpeech, 9);
    begin(&traces, "c", 1, 10);
    assert_eq!(spans(&traces, 1), [(SpanKind::PersonSpeech, 5, Some(9))]);
    assert_eq!(traces.turn(&conversation("c"), 1).unwrap().started_at, 5);
}

#[test]
fn a_reply_that_begins_before_its_turn_is_stored_belongs_to_that_turn() {
    let traces = TurnTraces::default();
    begin(&traces, "c", 1, 10);
    traces.end_turn(&conversation("c"), 20);
    traces.begin_span(&conversation("c"), SpanKind::ModelSpeech, 25);
    begin(&traces, "c", 2, 30);
    traces.end_span(&conversation("c"), SpanKind::ModelSpeech, 40);
    assert_eq!(spans(&traces, 1), []);
    assert_eq!(spans(&traces, 2), [(SpanKind::ModelSpeech, 25, Some(40))]);
}

#[test]
fn the_next_turn_ends_the_one_before() {
    let traces = TurnTraces::default();
    begin(&traces, "c", 1, 10);
    begin(&traces, "c", 2, 30);
    assert_eq!(traces.turn(&conversation("c"), 1).unwrap().ended_at, Some(30));
    assert_eq!(traces.latest(&conversation("c")), Some(2));
}

#[test]
fn the_oldest_turns_are_dropped() {
    let traces = TurnTraces::default();
    for turn in 0..MAX_TURNS as u64 + 3 {
        begin(&traces, &format!("c{}", turn % 7), turn, turn);
    }
    assert_eq!(traces.turn(&conversation("c2"), 2), None);
    assert!(traces.turn(&conversation("c3"), 3).is_some());
    assert_eq!(traces.lock().turns.len(), MAX_TURNS);
}

#[test]
fn the_oldest_turns_are_dropped_when_there_are_too_many_spans() {
    let traces = TurnTraces::default();
    for turn in 0..60 {
        begin(&traces, "c", turn, turn);
        for n in 0..MAX_SPANS as u64 {
            traces.add_span(&conversation("c"), SpanKind::CutOff, n, n + 1);
        }
    }
    let entries: usize = traces.lock().turns.values().map(TurnTrace::entries).sum();
    assert!((ENTRIES_LEFT - MAX_SPANS..=MAX_ENTRIES + MAX_SPANS).contains(&entries), "{entries}");
    assert_eq!(traces.turn(&conversation("c"), 0), None);
    assert_eq!(traces.latest(&conversation("c")), Some(59));
}
