//! Which requests are accepted, and the errors for the others.

use serde_json::json;

use super::*;

fn read(body: Value) -> Result<ChatInput, String> {
    ChatRequest::read(body.to_string().as_bytes())
        .map(|ask| ask.input)
        .map_err(|it| format!("{it:?}"))
}

fn user(parts: Value) -> Value {
    json!({ "id": "c", "messages": [{ "id": "m", "role": "user", "parts": parts }] })
}

#[test]
fn the_text_of_the_last_message_is_what_is_said() {
    let body = user(json!([{ "type": "text", "text": "a" }, { "type": "step-start" },
        { "type": "text", "text": "b" }]));
    assert_eq!(read(body).unwrap(), ChatInput::Message(words("a\nb", Some("m"))));
    let plain = json!({ "id": "c", "message": "hi" });
    assert_eq!(read(plain).unwrap(), ChatInput::Message(words("hi", None)));
}

fn words(text: &str, id: Option<&str>) -> UserMessage {
    UserMessage { text: text.to_owned(), id: id.map(str::to_owned) }
}

#[test]
fn a_message_that_is_sent_again_is_edited_and_one_may_be_answered_again() {
    let mut body = user(json!([{ "type": "text", "text": "hi" }]));
    body["messageId"] = json!("other");
    assert_eq!(read(body.clone()).unwrap(), ChatInput::Message(words("hi", Some("m"))));
    body["messageId"] = json!("m");
    assert_eq!(read(body.clone()).unwrap(), ChatInput::Edit(words("hi", Some("m"))));
    body["trigger"] = json!("regenerate-message");
    assert_eq!(read(body).unwrap(), ChatInput::Regenerate(Some(words("hi", Some("m")))));
    let bare = json!({ "id": "c", "trigger": "regenerate-message" });
    assert_eq!(read(bare).unwrap(), ChatInput::Regenerate(None));
}

#[test]
fn whoever_begins_need_not_name_a_conversation() {
    let ids = [(); 2].map(|()| ChatRequest::read(br#"{"message":"hi"}"#).unwrap().id);
    assert_ne!(ids[0], ids[1]);
    let body = json!({ "confirmations": [{ "token": "t", "approve": true }] });
    assert!(read(body).unwrap_err().contains("expected `id`"));
}

#[test]
fn only_the_last_message_is_looked_at() {
    let mut messages: Vec<_> = (0..10_000).map(|n| json!({ "role": 7, "n": n })).collect();
    messages.push(json!({ "role": "user", "parts": [{ "type": "text", "text": "hi" }] }));
    let input = read(json!({ "id": "c", "messages": messages }));
    assert_eq!(input.unwrap(), ChatInput::Message(words("hi", None)));
}

#[test]
fn an_answered_question_is_its_token_and_the_answer_alone() {
    let part = |state: &str| {
        json!({ "type": "tool-book", "toolCallId": "c1", "state": state, "input": { "evil": 1 },
            "approval": { "id": "t.s", "approved": true } })
    };
    let parts =
        json!([part("approval-responded"), part("output-available"), part("approval-requested")]);
    let body = json!({ "id": "c", "messages": [{ "role": "assistant", "parts": parts }] });
    let decision = ConfirmationAnswer { token: "t.s".to_owned(), approve: true };
    let each = vec![(decision, Some("c1".to_owned()))];
    assert_eq!(
        read(body).unwrap(),
        ChatInput::Confirmations(ConfirmationAnswers { each, message_id: None })
    );
}

#[test]
fn what_is_not_understood_is_named() {
    for (body, expected) in [
        (json!(["c", null, "hello"]), "not understood: expected an object, found an array"),
        (json!({ "id": "", "message": "hi" }), "a conversation id must be 1 to 256 bytes"),
        (json!({ "id": "c" }), "expected `message` or `messages`, found none"),
        (json!({ "id": "c", "messages": [] }), "expected `message` or `messages`, found none"),
        (json!({ "id": "c", "messages": [["m", "user"]] }), "expected an object, found an array"),
        (
            json!({ "id": "c", "confirmations": [["t", true]] }),
            "expected an object, found an array",
        ),
        (json!({ "id": "c", "messages": 1 }), "invalid type: integer `1`, expected a sequence"),
        (json!({ "id": "c", "messages": [1] }), "the last message is not understood"),
        (json!({ "id": "c", "messages": [{ "role": "system" }] }), "found \\\"system\\\""),
        (json!({ "id": "c", "messages": [{ "role": "assistant" }] }), "found neither"),
        (user(json!([])), "expected words in the message, found none"),
        (user(json!([{ "type": "text", "text": 1 }])), "to be a string"),
        (user(json!([{ "type": "file", "url": "data:" }])), "files are not taken here"),
        (user(json!([{ "text": "x" }])), "expected parts with a `type`"),
        (user(json!([{ "type": "text", "text": "x".repeat(100_001) }])), "found 100001"),
    ] {
        let found = read(body.clone()).unwrap_err();
        assert!(found.contains(expected), "{body}: {found}");
    }
}
