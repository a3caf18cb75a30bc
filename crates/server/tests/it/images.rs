//! Images over HTTP: to the person in whose conversation they were made, as they are, once.

use aileron_images::{Addresses, ImageStore};
use serde_json::json;
use tempfile::TempDir;

use crate::client::Client;
use crate::stage::{Plan, Stage};

async fn stage() -> (TempDir, Stage) {
    let folder = tempfile::tempdir().unwrap();
    let addresses = Addresses::Under(aileron_server::IMAGES.to_owned());
    let images = Some(ImageStore::at(folder.path(), addresses));
    (folder, Plan { images, ..Plan::default() }.start().await)
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
    assert_eq!(image.header("cache-control"), Some("private, max-age=31536000, immutable"));
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
