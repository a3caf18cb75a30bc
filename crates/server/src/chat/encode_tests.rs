//! Each event as its chunks, byte for byte.

use aileron_agent::{TurnFailure, TurnFailureCode};
use aileron_contract::envelope::{Failure, Meta, RESPONSE_SCHEMA_VERSION};
use aileron_contract::{CallId, ToolId};

use super::*;

fn start(dialect: SdkVersion, continued: Option<Vec<String>>) -> Encoder {
    let (delivery, message_id) = (Delivery::Stream, "msg-1".to_owned());
    let metadata = json!({ "provider": "offline" });
    Encoder::new(StreamStart { dialect, delivery, message_id, continued, metadata })
}

fn encoded(encoder: &mut Encoder, events: impl IntoIterator<Item = TurnEvent>) -> Vec<String> {
    let mut chunks = Vec::new();
    events.into_iter().for_each(|event| encoder.encode(event, &mut chunks));
    chunks.iter().map(|chunk| serde_json::to_string(chunk).unwrap()).collect()
}

fn call_id() -> CallId {
    CallId::new("c1").unwrap()
}

fn meta() -> Meta {
    Meta {
        tool_id: "book".to_owned(),
        tool_version: None,
        registry_version: "1.0.0".to_owned(),
        response_schema_version: RESPONSE_SCHEMA_VERSION.to_owned(),
        call_id: call_id(),
        duration: 0,
        attempts: 1,
        replayed: false,
        clamped: Vec::new(),
        over_budget: false,
        truncated: false,
        warnings: Vec::new(),
        task: None,
    }
}

fn answered(answer: ToolResponse) -> TurnEvent {
    TurnEvent::Answered { call_id: call_id(), tool_id: "book".to_owned(), answer: Box::new(answer) }
}

fn called() -> TurnEvent {
    TurnEvent::Called { call_id: call_id(), tool_id: "book".to_owned(), args: json!({ "n": 1 }) }
}

fn denied() -> ToolResponse {
    let error = Failure::new(ErrorType::Denied, "the person said no");
    ToolResponse::Failure { error, meta: meta() }
}

fn asked() -> TurnEvent {
    let request = ConfirmationRequest {
        token: "t.s".to_owned(),
        expires: 7,
        tool: ToolId::new("book").unwrap(),
        args: json!({ "n": 1 }),
        preview: "Book 1".to_owned(),
    };
    TurnEvent::Asked { call_id: call_id(), request: Box::new(request) }
}

#[test]
fn texts_are_opened_and_closed_around_everything_else() {
    let mut encoder = start(SdkVersion::Six, None);
    let events = [
        TurnEvent::Began { turn: 1 },
        TurnEvent::StepBegan { context: None },
        TurnEvent::Reasoning("hm".to_owned()),
        TurnEvent::Text("a".to_owned()),
        TurnEvent::Text("b".to_owned()),
        called(),
        answered(ToolResponse::Success { data: json!([1]), intents: Vec::new(), meta: meta() }),
        TurnEvent::StepEnded,
        TurnEvent::Finished(TurnOutcome::Answered),
    ];
    assert_eq!(
        encoded(&mut encoder, events),
        [
            r#"{"type":"start","messageId":"msg-1","messageMetadata":{"provider":"offline"}}"#,
            r#"{"type":"start-step"}"#,
            r#"{"type":"reasoning-start","id":"t1"}"#,
            r#"{"type":"reasoning-delta","id":"t1","delta":"hm"}"#,
            r#"{"type":"reasoning-end","id":"t1"}"#,
            r#"{"type":"text-start","id":"t2"}"#,
            r#"{"type":"text-delta","id":"t2","delta":"a"}"#,
            r#"{"type":"text-delta","id":"t2","delta":"b"}"#,
            r#"{"type":"text-end","id":"t2"}"#,
            r#"{"type":"tool-input-start","toolCallId":"c1","toolName":"book"}"#,
            r#"{"type":"tool-input-available","toolCallId":"c1","toolName":"book","input":{"n":1}}"#,
            r#"{"type":"tool-output-available","toolCallId":"c1","output":[1]}"#,
            r#"{"type":"finish-step"}"#,
            r#"{"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"cachedTokens":0,"inputTokens":0,"outputTokens":0,"reasoningTokens":0}}}"#,
        ]
    );
}

#[test]
fn questions_are_data_for_all_and_approvals_for_those_who_know_them() {
    let data = r#"{"type":"data-confirmation","id":"c1","data":{"token":"t.s","expires":7,"tool":"book","args":{"n":1},"preview":"Book 1"}}"#;
    let five = encoded(&mut start(SdkVersion::Five, None), [asked()]);
    assert_eq!(five, [data]);
    let six = encoded(&mut start(SdkVersion::Six, None), [asked()]);
    let request = r#"{"type":"tool-approval-request","approvalId":"t.s","toolCallId":"c1"}"#;
    assert_eq!(six, [data, request]);
}

#[test]
fn a_question_is_asked_in_the_last_step() {
    let mut encoder = start(SdkVersion::Five, None);
    let waiting = TurnEvent::Text("Waiting.".to_owned());
    let steps = [
        TurnEvent::StepBegan { context: None },
        asked(),
        TurnEvent::StepEnded,
        TurnEvent::StepBegan { context: None },
        waiting,
    ];
    let end = [TurnEvent::StepEnded, TurnEvent::Finished(TurnOutcome::Answered)];
    let chunks = encoded(&mut encoder, steps.into_iter().chain(end));
    let steps: Vec<_> = chunks.iter().filter(|chunk| chunk.contains("-step")).collect();
    assert_eq!(steps, [r#"{"type":"start-step"}"#, r#"{"type":"finish-step"}"#]);
    assert!(chunks[chunks.len() - 2].contains("finish-step"), "{chunks:?}");
}

#[test]
fn a_message_that_goes_on_keeps_its_id_and_has_its_calls_answered() {
    let mut encoder = start(SdkVersion::Six, Some(vec!["c1".to_owned()]));
    assert_eq!(
        encoded(&mut encoder, [TurnEvent::Began { turn: 1 }, answered(denied())]),
        [
            r#"{"type":"start","messageMetadata":{"provider":"offline"}}"#,
            r#"{"type":"tool-output-denied","toolCallId":"c1"}"#,
        ]
    );
}

#[test]
fn the_answer_to_a_call_of_another_message_is_data() {
    assert_eq!(
        encoded(&mut start(SdkVersion::Five, None), [answered(denied())]),
        [
            r#"{"type":"data-confirmed","id":"c1","data":{"error":{"message":"the person said no","type":"DENIED"},"tool":"book"}}"#
        ]
    );
}

#[test]
fn refused_calls_and_failed_turns_are_errors_in_their_own_form() {
    let mut encoder = start(SdkVersion::Six, None);
    let failed = TurnFailure {
        code: TurnFailureCode::ModelBusy,
        sentence: "It broke.",
        detail: "secret".to_owned(),
    };
    let events =
        [called(), answered(denied()), TurnEvent::Text("a".to_owned()), TurnEvent::Failed(failed)];
    assert_eq!(
        encoded(&mut encoder, events)[2..],
        [
            r#"{"type":"tool-output-error","toolCallId":"c1","errorText":"DENIED: the person said no"}"#,
            r#"{"type":"text-start","id":"t1"}"#,
            r#"{"type":"text-delta","id":"t1","delta":"a"}"#,
            r#"{"type":"text-end","id":"t1"}"#,
            r#"{"type":"error","errorText":"It broke."}"#,
        ]
    );
}

#[test]
fn sources_have_links_or_are_documents() {
    let source = |url: Option<&str>| CitationSource {
        id: "a:b".to_owned(),
        title: "A".to_owned(),
        url: url.map(str::to_owned),
    };
    let sources = vec![source(Some("https://example.com")), source(None)];
    assert_eq!(
        encoded(&mut start(SdkVersion::Six, None), [TurnEvent::Sources(sources)]),
        [
            r#"{"type":"source-url","sourceId":"a:b","url":"https://example.com","title":"A"}"#,
            r#"{"type":"source-document","sourceId":"a:b","mediaType":"text/plain","title":"A"}"#,
        ]
    );
}
