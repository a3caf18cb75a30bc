//! Whole conversations with scripted results, in a readable form.

use serde_json::{Value, json};

use super::stage::{Mode, Stage, done, failed};
use aileron_contract::model_input::ModelCall;

fn mira() -> Value {
    json!({
        "id": "person:mira_holt", "type": "person", "title": "Mira Holt", "score": 0.94,
        "snippet": "Mira Holt is the lighting lead of the studio.",
        "metadata": { "role": "lighting lead", "email": "mira@example.com", "extension": 214, "demo": true }
    })
}

fn review() -> Value {
    json!({ "id": "process:lighting_review", "type": "process", "title": "Lighting review", "score": 0.61, "snippet": "The lighting lead reviews every shot on Friday." })
}

const MIRA: &str = "Mira Holt is the lighting lead of the studio. She runs the lighting review every Friday (see\nprocess:lighting_review), decides which shots are final.\n\nMira leads a team of five lighting artists. She works in Hamburg from Monday to Friday.";

/// The scripted results of the calls.
fn world(call: &ModelCall) -> Value {
    let args = Value::Object(call.args.clone());
    match call.name.as_str() {
        "kb_search" if args["query"].as_str().is_some_and(|query| query.contains("unicorn")) => {
            done(json!({ "results": [] }))
        }
        "kb_search" => done(json!({ "results": [mira(), review()], "query_time_ms": 4 })),
        "kb_get" => {
            let mut record = mira();
            record["text"] = MIRA.into();
            done(json!({ "results": [record], "missing": [] }))
        }
        "calendar_propose_event" => {
            let slot = |rank: u8, start: &str, end: &str, busy: u8| json!({ "rank": rank, "event_draft_id": format!("draft-{rank}"), "start": start, "end": end, "preferred": rank == 1, "free": 1, "busy": busy });
            done(json!({
                "title": args["title"], "duration_minutes": 30, "event_draft_id": "draft-1",
                "slots": [slot(1, "2026-02-04T10:00:00+01:00", "2026-02-04T10:30:00+01:00", 0), slot(2, "2026-02-04T14:00:00+01:00", "2026-02-04T14:30:00+01:00", 1)],
                "attendees": [{ "email": "mira@example.com", "calendar_read": false, "busy_in": [2] }]
            }))
        }
        "calendar_create_event" => {
            let mut refused = failed("CONFIRMATION_REQUIRED", "the person must approve this");
            refused["error"]["awaitingApprovalOf"] =
                "Create this event: draft-1 (no invitations are sent)".into();
            refused
        }
        "image_draft_prompt" => done(json!({
            "variants": [{ "label": "wide", "prompt": "a wide view of a lighthouse" }, { "label": "close", "prompt": "a lighthouse, close", "negative_prompt": "text" }],
            "sensitive_topics": []
        })),
        "image_generate" => done(
            json!({ "images": [{ "id": "img_1", "url": "https://example.com/img_1.png", "aspect_ratio": "1:1" }] }),
        ),
        "send_image" => done(
            json!({ "shown": true, "url": "https://example.com/img_1.png", "caption": args["caption"], "image_id": "img_1" }),
        ),
        "extract_contacts" => done(
            json!({ "contacts": [{ "name": "Jon Bell", "email": "jon@example.com" }], "names": [], "emails": [], "phones": [], "urls": [] }),
        ),
        "start_voice_session" => done(json!({ "requested": true })),
        "end_voice_session" => {
            done(json!({ "reason": "user_requested", "after": "farewell_spoken" }))
        }
        name => panic!("nobody answers {name}"),
    }
}

#[test]
fn ten_messages_in_writing() {
    let mut stage = Stage::new(Mode::Text);
    for words in [
        "Hello!",
        "Who is the lighting lead?",
        "What is her email?",
        "Is there anything about unicorn stables in the basement?",
        "Schedule half an hour with Mira Holt tomorrow at 10 about the lighting review",
        "Book the first one",
        "Draw me a lighthouse at dusk",
        "The second, please",
        "Extract the contacts from: Jon Bell <jon@example.com>",
        "Can we just talk?",
    ] {
        stage.turn(words, world);
    }
    insta::assert_snapshot!(stage.transcript);
}

#[test]
fn five_messages_by_voice() {
    let mut stage = Stage::new(Mode::Voice);
    for words in [
        "Hi there",
        "Who is the lighting lead?",
        "How does she work?",
        "Schedule half an hour with Mira Holt",
        "Thanks, bye!",
    ] {
        stage.turn(words, world);
    }
    insta::assert_snapshot!(stage.transcript);
}
