//! The image engine in memory.

use futures_util::FutureExt;
use serde_json::json;

use super::*;
use crate::FaultCode;
use crate::doubles::caller;

fn generate(images: &MemoryImages, key: &str, count: u32) -> Result<Vec<Image>, CapabilityFault> {
    ask(images, key, count).map(|made| made.images)
}

fn ask(images: &MemoryImages, key: &str, count: u32) -> Result<GeneratedImages, CapabilityFault> {
    let request = json!({
        "prompt": "a lighthouse", "aspectRatio": "1:1", "count": count, "idempotencyKey": key,
    });
    let request = serde_json::from_value(request).unwrap();
    images.generate(&caller::of("c"), request, ProgressSink::default()).now_or_never().unwrap()
}

fn get(images: &MemoryImages, conversation: &str, id: &str) -> Option<Image> {
    let request = ImageRequest { id: id.to_owned() };
    images.get(&caller::of(conversation), request).now_or_never().unwrap().unwrap()
}

#[test]
fn the_same_key_gives_the_same_images() {
    let images = MemoryImages::default();
    let made = generate(&images, "k1", 2).unwrap();
    assert_eq!(generate(&images, "k1", 4).unwrap(), made);
    assert_eq!(generate(&MemoryImages::default(), "k1", 2).unwrap(), made);
    assert!(made.iter().all(|image| image.id.starts_with("img_") && image.url.contains(&image.id)));
    assert_ne!(made[0], made[1]);
    assert_ne!(generate(&images, "k2", 2).unwrap(), made);
}

#[test]
fn images_belong_to_their_conversation_and_given_ones_to_all() {
    let contents = json!({ "stored": [{ "id": "img_42", "url": "https://example.com/42.png" }] });
    let contents: ImagesContents = serde_json::from_value(contents).unwrap();
    let images = MemoryImages::from(contents);
    let made = generate(&images, "k1", 1).unwrap().remove(0);
    assert_eq!(get(&images, "c", &made.id), Some(made.clone()));
    assert_eq!(get(&images, "other", &made.id), None);
    assert!(get(&images, "other", "img_42").is_some());
}

#[test]
fn those_that_are_not_made_are_named() {
    let contents = ImagesContents { makes: Some(1), ..ImagesContents::default() };
    let made = ask(&MemoryImages::from(contents), "k1", 3).unwrap();
    assert_eq!((made.images.len(), made.requested), (1, 3));
    assert_eq!(made.missing, [declined(2), declined(3)]);
}

#[test]
fn a_fault_that_was_asked_for_meets_every_call() {
    let fault = CapabilityFault::new(FaultCode::Refused, "declined");
    let contents = ImagesContents { error: Some(fault.clone()), ..ImagesContents::default() };
    assert_eq!(generate(&MemoryImages::from(contents), "k1", 1), Err(fault));
}
