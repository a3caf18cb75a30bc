//! Images over HTTP: to the person in whose conversation they were made, as they are, once.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use aileron_capability::ManualClock;
use aileron_capability::images::ProgressSink;
use aileron_capability::{Caller, Images};
use aileron_contract::{CallId, ConversationId, Mode, ToolId};
use aileron_images::{Addresses, CardGenerator, ImageEngine, ImageLimits, ImageStore};
use serde_json::json;
use tempfile::TempDir;

use crate::client::Client;
use crate::stage::{Plan, Stage};

async fn stage() -> (TempDir, Stage) {
    let folder = tempfile::tempdir().unwrap();
    let addresses = Addresses::Under(aileron_server::IMAGES.to_owned());
    let images = Some(ImageStore::at(folder.path(), addresses, DAY * 30));
    (folder, Plan { images, ..Plan::default() }.start().await)
}

const DAY: Duration = Duration::from_secs(24 * 3600);

/// The files of images in a folder.
fn files(folder: &TempDir) -> usize {
    let names = std::fs::read_dir(folder.path()).unwrap().flatten();
    names.filter(|it| it.path().extension().is_some_and(|end| end == "png")).count()
}

/// Makes an image and gives its address.
async fn made(client: &Client) -> String {
    let place = format!("{}/calls", client.begin("text").await);
    let args = json!({ "prompt": "a lighthouse", "user_requested": true });
    let call = json!({ "callId": "call-000001", "toolId": "image_generate", "args": args });
    let answer = client.post(&place, call).await.json();
    let image = &answer["answers"][0]["response"]["data"]["images"][0];
    assert_eq!(image["content_type"], "image/png", "{answer}");
    image["url"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_image_is_served_as_it_is_and_may_be_kept() {
    let (_folder, stage) = stage().await;
    let address = made(&stage.ada()).await;
    let image = stage.ada().get(&address).await;
    assert_eq!((image.status, image.header("content-type")), (200, Some("image/png")));
    assert!(image.body.starts_with(b"\x89PNG"));
    let length = image.body.len().to_string();
    assert_eq!(image.header("content-length"), Some(length.as_str()));
    assert_eq!(image.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(image.header("cache-control"), Some("private, max-age=2592000, immutable"));
    let tag = image.header("etag").unwrap();
    for held in [tag.to_owned(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
        let again = stage.ada().with("if-none-match", &held).get(&address).await;
        assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag)));
    }
    let other = stage.ada().with("if-none-match", "\"other\"").get(&address).await;
    assert_eq!(other.body, image.body);
    let head = stage.ada().send("HEAD", &address, None).await;
    assert_eq!((head.status, head.header("content-length")), (200, Some(length.as_str())));
}

#[tokio::test]
async fn nobody_else_sees_it_and_what_is_not_there_is_said_alike() {
    let (_folder, stage) = stage().await;
    let address = made(&stage.ada()).await;
    let stranger = stage.stranger().get(&address).await;
    assert_eq!((stranger.status, stranger.code()), (401, "UNAUTHENTICATED".to_owned()));
    let hidden = stage.bob().get(&address).await;
    assert_eq!((hidden.status, hidden.code()), (404, "NOT_FOUND".to_owned()));
    for unknown in ["img_0", "..%2f..%2fimages.db", "%00", "'%20or%201=1"] {
        let missing = stage.bob().get(&format!("/v1/images/{unknown}")).await;
        assert_eq!((missing.status, &missing.body), (404, &hidden.body), "{unknown}");
    }
    let refused = stage.ada().post(&address, json!({})).await;
    assert_eq!((refused.status, refused.code()), (405, "METHOD_NOT_ALLOWED".to_owned()));
}

#[tokio::test]
async fn an_image_of_a_conversation_that_ended_stays_and_a_file_that_went_is_not_there() {
    let (folder, stage) = stage().await;
    let address = made(&stage.ada()).await;
    let listed = stage.ada().get("/v1/conversations").await.json();
    let id = listed["conversations"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(stage.ada().delete(&format!("/v1/conversations/{id}")).await.status, 204);
    assert_eq!(stage.ada().get(&address).await.status, 200);
    for entry in std::fs::read_dir(folder.path()).unwrap().flatten() {
        if entry.path().extension().is_some_and(|it| it == "png") {
            std::fs::remove_file(entry.path()).unwrap();
        }
    }
    assert_eq!(stage.ada().get(&address).await.code(), "NOT_FOUND");
}

#[tokio::test]
async fn a_server_without_images_says_so() {
    let stage = Stage::usual().await;
    assert_eq!(stage.ada().get("/v1/images/img_1").await.code(), "NOT_FOUND");
}

#[tokio::test]
async fn an_image_is_kept_by_nobody_longer_than_by_us() {
    let (_folder, stage) = stage().await;
    let address = made(&stage.ada()).await;
    let days = |count: u32| u64::try_from((DAY * count).as_millis()).unwrap();
    stage.clock.advance(days(10));
    let image = stage.ada().get(&address).await;
    assert_eq!(image.header("cache-control"), Some("private, max-age=1728000, immutable"));
    stage.clock.advance(days(20) + 1);
    let gone = stage.ada().get(&address).await;
    assert_eq!((gone.status, gone.code()), (404, "NOT_FOUND".to_owned()));
    let tag = image.header("etag").unwrap();
    assert_eq!(stage.ada().with("if-none-match", tag).get(&address).await.status, 404);
}

#[tokio::test]
async fn what_grew_too_old_while_no_server_ran_is_deleted_when_one_starts() {
    let folder = tempfile::tempdir().unwrap();
    let store = ImageStore::at(folder.path(), Addresses::Files, DAY * 30);
    let past = Arc::new(ManualClock::at(1_000));
    let engine = ImageEngine::new(
        Arc::new(CardGenerator),
        store.clone(),
        ImageLimits::default(),
        None,
        past,
    );
    let request = json!({
        "prompt": "a lighthouse", "aspectRatio": "1:1", "count": 1, "idempotencyKey": "k",
    });
    let request = serde_json::from_value(request).unwrap();
    engine.generate(&caller(), request, ProgressSink::default()).await.unwrap();
    for entry in std::fs::read_dir(folder.path()).unwrap().flatten() {
        let file = std::fs::File::options().write(true).open(entry.path()).unwrap();
        file.set_modified(UNIX_EPOCH).unwrap();
    }
    assert_eq!(files(&folder), 1);
    let stage = Plan { images: Some(store), ..Plan::default() }.start().await;
    assert_eq!(stage.stranger().get("/health").await.status, 200);
    assert_eq!(files(&folder), 0);
}

fn caller() -> Caller {
    Caller {
        conversation: ConversationId::new("c").unwrap(),
        user: None,
        scopes: [].into(),
        mode: Mode::Text,
        tool: ToolId::new("image_generate").unwrap(),
        call_id: CallId::new("call").unwrap(),
        idempotency_key: "k".into(),
    }
}
