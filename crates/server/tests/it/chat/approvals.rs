//! The person approves the server's confirmation, whatever the client's history says.

use aileron_contract::ConversationId;
use aileron_store::AuditFilter;
use serde_json::{Value, json};

use super::http::{Response, finish, send};
use super::world::World;

/// The client's next request after the person has answered.
fn answered(asked: &Response, id: &str, approved: bool) -> Value {
    let request = asked.find("tool-approval-request");
    json!({ "id": id, "trigger": "submit-message", "messageId": "msg", "messages": [{
        "id": "msg", "role": "assistant", "parts": [{
            "type": "tool-book", "toolCallId": request["toolCallId"], "state": "approval-responded",
            "input": { "n": 5 },
            "approval": { "id": request["approvalId"], "approved": approved },
        }],
    }]})
}

fn made(world: &World) -> Vec<String> {
    let records = world.store.audit(AuditFilter::default()).map(|record| record.unwrap().entry);
    let booked = records.filter(|entry| entry.tool_id == "book");
    booked.map(|entry| format!("{} {}", entry.args, entry.outcome)).collect()
}

#[tokio::test]
async fn an_approved_call_runs_and_the_same_message_goes_on() {
    let world = World::new().await;
    let asked = world.say("ada", "c", "book 5").await;
    assert_eq!(
        asked.types()[2..5],
        ["tool-input-start", "tool-input-available", "data-confirmation"]
    );
    let question = asked.find("data-confirmation");
    assert_eq!(question["data"]["preview"], "book {\"n\":5}");
    assert_eq!(asked.text(), "Please approve it.");
    let done = world.post("ada", &answered(&asked, "c", true)).await;
    assert_eq!(
        done.types(),
        ["start", "tool-output-available", "start-step", "finish-step", "finish"]
    );
    assert!(done.find("start").get("messageId").is_none());
    assert_eq!(done.find("tool-output-available")["output"], json!({ "booked": 5 }));
    assert_eq!(made(&world), ["{\"n\":5} refused:confirmation", "{\"n\":5} completed"]);
}

#[tokio::test]
async fn a_declined_call_is_denied() {
    let world = World::new().await;
    let asked = world.say("ada", "c", "book 5").await;
    let done = world.post("ada", &answered(&asked, "c", false)).await;
    assert_eq!(done.types()[1], "tool-output-denied");
    assert_eq!(made(&world)[1..], ["{\"n\":5} denied"]);
}

#[tokio::test]
async fn the_clients_copy_of_the_call_is_not_looked_at() {
    let world = World::new().await;
    let asked = world.say("ada", "c", "book 5").await;
    let mut body = answered(&asked, "c", true);
    body["messages"][0]["parts"][0]["input"] = json!({ "n": 5000 });
    body["messages"][0]["parts"][0]["type"] = json!("tool-block");
    world.post("ada", &body).await;
    assert_eq!(made(&world)[1..], ["{\"n\":5} completed"]);
}

#[tokio::test]
async fn forged_repeated_and_foreign_answers_do_nothing() {
    let world = World::new().await;
    let asked = world.say("ada", "c", "book 5").await;
    let mut forged = answered(&asked, "c", true);
    forged["messages"][0]["parts"][0]["approval"]["id"] = json!("AAAA.BBBB");
    let refused = world.post("ada", &forged).await;
    assert_eq!(refused.types(), ["start", "data-effect", "error"]);
    assert_eq!(
        refused.find("error")["errorText"],
        "That answer does not count: the question is not open in this conversation."
    );
    forged["stream"] = json!(false);
    let refused = world.post("ada", &forged).await;
    assert_eq!((refused.status, &refused.json()["error"]["code"]), (403, &json!("NOT_CONFIRMED")));
    // Bob knows the token. Nothing begins with it, and what he began himself has no such question.
    for id in ["c", "bobs"] {
        let foreign = world.post("bob", &answered(&asked, id, true)).await;
        let expected = "there is no such conversation; begin another one";
        assert_eq!((foreign.status, foreign.body.as_str()), (404, expected));
    }
    let nothing = finish(send(world.address, "GET /v1/conversations/bobs", "bob", b"").await).await;
    assert_eq!(nothing.status, 404, "{nothing:?}");
    world.say("bob", "bobs", "say Hi").await;
    let foreign = world.post("bob", &answered(&asked, "bobs", true)).await;
    assert_eq!(foreign.types(), ["start", "data-effect", "error"]);
    assert_eq!(made(&world).len(), 1);
}

#[tokio::test]
async fn an_approval_that_is_sent_twice_runs_once() {
    let world = World::new().await;
    let asked = world.say("ada", "c", "book 5").await;
    let body = answered(&asked, "c", true);
    let (first, second) = tokio::join!(world.post("ada", &body), world.post("ada", &body));
    assert_eq!((first.status, second.status), (200, 200));
    assert_eq!(made(&world)[1..], ["{\"n\":5} completed"]);
}

/// A chat answer that begins has a reader from the start: the next request does not take it for one that was
/// left, which would take its approved call back.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_approval_among_several_answers_at_once_stands_and_runs() {
    let world = World::new().await;
    for n in 0..60 {
        let id = format!("c{n}");
        let asked = world.say("ada", &id, "book 5").await;
        let token = asked.find("tool-approval-request")["approvalId"].as_str().unwrap().to_owned();
        let (yes, no) = (answered(&asked, &id, true), answered(&asked, &id, false));
        let line = format!("POST /v1/conversations/{id}/confirmations/{token}");
        let http =
            async { finish(send(world.address, &line, "ada", br#"{"approve":true}"#).await).await };
        let (first, _, _, _) = tokio::join!(
            world.post("ada", &yes),
            world.post("ada", &no),
            world.post("ada", &yes),
            http
        );
        assert_ne!(first.types().last().unwrap(), "abort", "{first:?}");
        let outcome = made(&world).pop().unwrap();
        assert!(outcome.ends_with("completed") || outcome.ends_with("denied"), "{n}: {outcome}");
    }
}

#[tokio::test]
async fn a_question_that_was_answered_is_said_to_be_and_no_model_is_asked() {
    let world = World::new().await;
    let asked = world.say("ada", "c", "book 5").await;
    world.post("ada", &answered(&asked, "c", true)).await;
    let kept = world.kept("c").await;
    for approved in [true, false] {
        let again = world.post("ada", &answered(&asked, "c", approved)).await;
        assert_eq!(
            again.types(),
            [
                "start",
                "data-decided",
                "tool-output-available",
                "start-step",
                "finish-step",
                "finish"
            ]
        );
        assert_eq!(again.find("data-decided")["data"]["decided"], "approved");
        assert_eq!(
            again.text(),
            "(This was answered before: it was approved, and is not done again.)"
        );
    }
    assert_eq!(made(&world).len(), 2);
    assert_eq!(world.kept("c").await, kept);
    let mut whole = answered(&asked, "c", false);
    whole["stream"] = json!(false);
    let whole = world.post("ada", &whole).await.json();
    assert_eq!(whole["id"], "msg", "a message that goes on keeps its id");
    assert_eq!(whole["parts"][0]["data"]["decided"], "approved", "{whole}");
}

#[tokio::test]
async fn a_client_that_knows_no_approvals_is_asked_and_answers_with_data() {
    let world = World::new().await;
    let say = json!({ "id": "c", "sdk": 5, "message": "book 5" });
    let asked = world.post("ada", &say).await;
    assert!(!asked.types().contains(&"tool-approval-request".to_owned()), "{:?}", asked.types());
    let token = asked.find("data-confirmation")["data"]["token"].clone();
    let confirm =
        json!({ "id": "c", "sdk": 5, "confirmations": [{ "token": token, "approve": true }] });
    let done = world.post("ada", &confirm).await;
    assert_eq!(done.types()[..2], ["start", "data-confirmed"]);
    assert!(done.find("start")["messageId"].is_string());
    assert_eq!(done.find("data-confirmed")["data"]["output"], json!({ "booked": 5 }));
    let id = ConversationId::new("c").unwrap();
    assert!(world.store.confirmations(&id, 0).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_click_of_somebody_who_was_blocked_meanwhile_is_refused_and_decides_nothing() {
    let world = World::new().await;
    let asked = world.say("ada", "c", "book 5").await;
    let token = asked.find("tool-approval-request")["approvalId"].as_str().unwrap().to_owned();
    let again = world.say("ada", "d", "book 6").await;
    let other = again.find("tool-approval-request")["approvalId"].as_str().unwrap().to_owned();
    world.say("ada", "c", "block").await;
    let records = made(&world);
    let refused = world.post("ada", &answered(&asked, "c", true)).await;
    assert_eq!(refused.status, 403);
    assert!(refused.body.starts_with("the person is blocked for another "), "{}", refused.body);
    let path = format!("POST /v1/conversations/d/confirmations/{other}");
    for answer in [&br#"{"approve":true}"#[..], br#"{"approve":false}"#] {
        let refused = finish(send(world.address, &path, "ada", answer).await).await;
        assert_eq!(refused.json()["error"]["code"], "BLOCKED");
    }
    assert_eq!(made(&world), records);
    for id in ["c", "d"] {
        let id = ConversationId::new(id).unwrap();
        assert_eq!(world.store.confirmations(&id, 0).await.unwrap().len(), 1, "still open");
    }
    // The click of another person leaves no trace, blocked or not.
    let theirs = json!({ "id": "c", "confirmations": [{ "token": token, "approve": true }] });
    assert_eq!(world.post("bob", &theirs).await.status, 404);
    assert_eq!(made(&world), records);
}
