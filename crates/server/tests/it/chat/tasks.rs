//! Tasks over HTTP: the stream of the call, the list, the follow-up, cancelling, and who may.

use serde_json::{Value, json};

use super::world::{World, dig_out};

/// The tasks of a person, by this query.
async fn tasks(world: &World, token: &str, query: &str) -> Vec<Value> {
    let page = world.ask(token, &format!("GET /v1/tasks{query}")).await.json();
    page["tasks"].as_array().unwrap_or_else(|| panic!("{page}")).clone()
}

/// Waits until this many tasks of a conversation have ended.
async fn ended(world: &World, conversation: &str, count: usize) -> Vec<Value> {
    loop {
        let query = format!("?state=ended&conversation={conversation}");
        let found = tasks(world, "ada", &query).await;
        if found.len() == count {
            return found;
        }
    }
}

fn follow_up(id: &str) -> Value {
    json!({ "id": id, "trigger": "task-results" })
}

#[tokio::test]
async fn a_task_is_shown_listed_and_followed_up_once() {
    let world = World::new().await;
    let said = world.say("ada", "c-follow", "dig deep").await;
    let task = said.find("data-task");
    assert_eq!(
        (&task["data"]["status"], &task["data"]["tool"]),
        (&json!("running"), &json!("dig"))
    );
    assert_eq!(said.find("tool-output-available")["output"]["taskId"], task["id"]);
    let running = tasks(&world, "ada", "?state=running").await;
    assert_eq!((&running[0]["id"], &running[0]["status"]), (&task["id"], &json!("running")));
    assert_eq!(world.post("ada", &follow_up("c-follow")).await.status, 204);
    dig_out("c-follow");
    let listed = ended(&world, "c-follow", 1).await;
    assert_eq!(
        (&listed[0]["result"]["data"], &listed[0]["told"]),
        (&json!({ "dug": true }), &json!(false))
    );
    assert_eq!(listed[0]["progress"], "digging");
    let followed = world.post("ada", &follow_up("c-follow")).await;
    let result = followed.find("data-task");
    assert_eq!((&result["id"], &result["data"]["output"]), (&task["id"], &json!({ "dug": true })));
    assert!(!followed.text().is_empty(), "{followed:?}");
    assert_eq!(world.post("ada", &follow_up("c-follow")).await.status, 204);
    let id = task["id"].as_str().unwrap();
    assert_eq!(world.ask("ada", &format!("GET /v1/tasks/{id}")).await.json()["told"], true);
}

#[tokio::test]
async fn the_result_comes_with_the_next_message_if_nobody_asks_for_it() {
    let world = World::new().await;
    world.say("ada", "c-next", "dig deep").await;
    dig_out("c-next");
    ended(&world, "c-next", 1).await;
    let next = world.say("ada", "c-next", "say hello").await;
    assert_eq!(next.find("data-task")["data"]["output"], json!({ "dug": true }));
    let kept = world.kept("c-next").await;
    assert_eq!(kept.iter().filter(|line| line.contains(r#""from":"late""#)).count(), 1);
}

#[tokio::test]
async fn the_person_cancels_a_task_and_nobody_else_sees_it() {
    let world = World::new().await;
    let said = world.say("ada", "c-cancel", "dig deep").await;
    let id = said.find("data-task")["id"].as_str().unwrap().to_owned();
    assert_eq!(tasks(&world, "bob", "").await, Vec::<Value>::new());
    assert_eq!(world.ask("bob", &format!("GET /v1/tasks/{id}")).await.status, 404);
    assert_eq!(world.ask("bob", &format!("POST /v1/tasks/{id}/cancel")).await.status, 404);
    assert_eq!(world.ask("bob", "GET /v1/tasks?all=true").await.status, 403);
    let cancelled = world.ask("ada", &format!("POST /v1/tasks/{id}/cancel")).await;
    assert_eq!((cancelled.status, &cancelled.json()["cancelRequested"]), (202, &json!(true)));
    let listed = ended(&world, "c-cancel", 1).await;
    assert_eq!(
        (&listed[0]["status"], &listed[0]["result"]["error"]["type"]),
        (&json!("cancelled"), &json!("CANCELLED"))
    );
    let again = world.ask("ada", &format!("POST /v1/tasks/{id}/cancel")).await;
    assert_eq!((again.status, &again.json()["error"]["code"]), (409, &json!("TASK_ENDED")));
    for wrong in ["?after=x", "?limit=0", "?state=open", "?conversation=%00", "?who=ada"] {
        assert_eq!(world.ask("ada", &format!("GET /v1/tasks{wrong}")).await.status, 400, "{wrong}");
    }
}
