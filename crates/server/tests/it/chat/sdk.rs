//! The real client, in the three versions that are in use, against this server.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tokio::process::Command;

use super::world::World;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/sdk/chat")
}

/// Runs one story of the client and gives what it has in the end.
async fn story(world: &World, version: u64, name: &str) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdk/chat/client.mjs");
    let folder = folder();
    assert!(
        folder.join("node_modules").is_dir(),
        "the clients are not installed; run `cargo xtask install`"
    );
    // Modules are found from where the script lies.
    let copy = folder.join(format!("client-{}-{version}-{name}.mjs", std::process::id()));
    std::fs::copy(script, &copy).unwrap();
    let own = folder.join("node_modules/node/bin/node");
    let output = Command::new(if own.is_file() { own } else { PathBuf::from("node") })
        .arg(&copy)
        .args([&version.to_string(), name, &format!("http://{}", world.address)])
        .output();
    let output = output.await.expect("node is needed for this test");
    std::fs::remove_file(copy).unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{version} {name}: {text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"))
}

fn types(message: &Value) -> Vec<&str> {
    message["parts"].as_array().unwrap().iter().map(|part| part["type"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn answers_calls_and_sources_arrive_as_parts() {
    let world = World::new().await;
    for version in [5, 6, 7] {
        let end = story(&world, version, "look").await;
        assert_eq!((&end["status"], &end["error"]), (&json!("ready"), &Value::Null), "{end}");
        let message = &end["messages"][1];
        assert_eq!(
            types(message),
            ["step-start", "text", "tool-look", "step-start", "text", "source-url"],
            "{version}"
        );
        assert_eq!(message["parts"][2]["state"], "output-available");
        assert_eq!(message["parts"][4]["text"], "Ask Mira [person:mira].");
        assert_eq!(message["parts"][5]["url"], "https://example.com/mira");
        assert_eq!(message["metadata"]["provider"], "gemini");
        assert!(message["metadata"]["usage"]["outputTokens"].as_u64().unwrap() > 0);
        assert!(end["data"].as_array().unwrap().iter().any(|part| part["type"] == "data-progress"));
    }
}

#[tokio::test]
async fn an_approval_goes_round_and_the_message_goes_on() {
    let world = World::new().await;
    for version in [6, 7] {
        for (name, state) in [("approve", "output-available"), ("decline", "output-denied")] {
            let end = story(&world, version, name).await;
            assert_eq!((&end["status"], &end["error"]), (&json!("ready"), &Value::Null), "{end}");
            assert_eq!(end["messages"].as_array().unwrap().len(), 2, "{end}");
            let parts = end["messages"][1]["parts"].as_array().unwrap();
            let call = parts.iter().find(|part| part["type"] == "tool-book").unwrap();
            assert_eq!(call["state"], state, "{version} {name}");
            assert!(types(&end["messages"][1]).ends_with(&["step-start", "text"]));
        }
    }
}

#[tokio::test]
async fn the_fifth_version_is_asked_with_data() {
    let world = World::new().await;
    let end = story(&world, 5, "confirm").await;
    assert_eq!((&end["status"], &end["error"]), (&json!("ready"), &Value::Null), "{end}");
    assert!(types(&end["messages"][1]).contains(&"data-confirmation"));
    let confirmed = types(end["messages"].as_array().unwrap().last().unwrap());
    assert_eq!(confirmed, ["data-confirmed", "step-start", "text"]);
}

#[tokio::test]
async fn refusals_and_faults_are_errors_the_page_can_show() {
    let world = World::new().await;
    for version in [5, 6, 7] {
        let end = story(&world, version, "empty").await;
        assert_eq!(end["status"], "error");
        assert_eq!(end["error"], "expected words in the message, found none");
        let end = story(&world, version, "forged").await;
        if version > 5 {
            assert_eq!(end["status"], "error", "{end}");
            assert!(end["error"].as_str().unwrap().starts_with("That answer does not count"));
        }
    }
}

#[tokio::test]
async fn whoever_is_not_let_in_reads_a_sentence() {
    for version in [5, 6, 7] {
        let world = World::new().await;
        let stranger = story(&world, version, "stranger").await;
        assert_eq!(stranger["status"], "error", "{stranger}");
        assert_eq!(stranger["error"], "the token is not known here; sign in again", "{stranger}");
        let blocked = story(&world, version, "blocked").await;
        assert_eq!(blocked["status"], "error", "{blocked}");
        let error = blocked["error"].as_str().unwrap();
        assert!(
            error.starts_with("the person is blocked for another ") && error.ends_with(" seconds")
        );
    }
}

#[tokio::test]
async fn a_client_that_stops_and_one_that_resumes_are_served() {
    let world = World::new().await;
    for version in [5, 6, 7] {
        let stopped = story(&world, version, "stop").await;
        assert_eq!((&stopped["status"], &stopped["error"]), (&json!("ready"), &Value::Null));
        let resumed = story(&world, version, "resume").await;
        assert_eq!(resumed["status"], "ready", "{resumed}");
        let last = resumed["messages"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["parts"][1]["text"], "Back again", "{resumed}");
    }
}

#[tokio::test]
async fn an_answer_once_more_and_an_edited_message_leave_both_sides_with_the_same() {
    let world = World::new().await;
    for version in [5, 6, 7] {
        for (name, said) in [("again", &["One", "Two"][..]), ("edit", &["Three"])] {
            let end = story(&world, version, name).await;
            assert_eq!((&end["status"], &end["error"]), (&json!("ready"), &Value::Null), "{end}");
            let theirs: Vec<_> = end["messages"].as_array().unwrap().iter().map(words).collect();
            let id = aileron_contract::ConversationId::new(format!("{name}-{version}")).unwrap();
            let ours = aileron_agent::said_so_far(world.store.clone(), &id).await.unwrap();
            let ours: Vec<_> = ours.iter().map(|said| json!(said.message)).collect();
            let ours: Vec<_> = ours.iter().map(words).collect();
            assert_eq!(theirs, ours, "{version} {name}");
            let expected = said.iter().flat_map(|word| [format!("say {word}"), (*word).to_owned()]);
            assert_eq!(theirs, expected.collect::<Vec<_>>(), "{version} {name}");
        }
    }
}

/// The text of a message, as the client or the server has it.
fn words(message: &Value) -> String {
    let parts = message["parts"].as_array().into_iter().flatten();
    let texts = parts.filter_map(|part| part["text"].as_str());
    message["text"].as_str().into_iter().chain(texts).collect()
}
