//! The engine: one key, one set of images, whatever happens on the way.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aileron_capability::http::HttpOptions;
use aileron_capability::images::{
    GenerateRequest, GeneratedImages, Image, ImageRequest, LookRequest, MissingImage, ProgressSink,
};
use aileron_capability::{Caller, CapabilityFault, FaultCode, Images};
use aileron_capability::{Clock, SystemClock};
use aileron_contract::{CallId, ConversationId, Mode, ToolId};
use aileron_images::{
    Addresses, CardGenerator, Generator, ImageEngine, ImageLimits, ImageProvider, ImageStore,
    ProviderSettings,
};
use serde_json::json;

use super::provider::PIXEL;
use super::server::{Reply, Server};

/// A few bytes that a viewer would unpack to gigabytes.
const BOMB: [&[u8]; 2] = [
    b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\xff\xff\0\0\xff\xff\x08\x02\0\0\0\0\0\0\0",
    b"\0\0\0\0IEND\0\0\0\0",
];

/// A GIF with a screen of one pixel and a frame of gigabytes.
const LARGE_FRAME: &[u8] =
    b"GIF89a\x01\0\x01\0\0\0\0\x2c\0\0\0\0\xff\xff\xff\xff\0\x02\x02D\x01\0;";

fn caller(conversation: &str) -> Caller {
    Caller {
        conversation: ConversationId::new(conversation).unwrap(),
        user: None,
        scopes: [].into(),
        mode: Mode::Text,
        tool: ToolId::new("image_generate").unwrap(),
        call_id: CallId::new("call").unwrap(),
        idempotency_key: "key".into(),
    }
}

fn request(key: &str, count: u32) -> GenerateRequest {
    GenerateRequest {
        prompt: "a lighthouse".to_owned(),
        negative_prompt: String::new(),
        aspect_ratio: "16:9".to_owned(),
        count,
        idempotency_key: key.to_owned(),
    }
}

fn engine(folder: &Path, generator: Arc<dyn Generator>) -> ImageEngine {
    let options =
        HttpOptions { allow_private: vec!["127.0.0.1".to_owned()], ..HttpOptions::default() };
    let web = Arc::new(aileron_http::client(options).unwrap());
    let limits = ImageLimits {
        timeout: Duration::from_secs(30),
        image_bytes: 1 << 20,
        ..ImageLimits::default()
    };
    let store = ImageStore::at(folder, Addresses::Files, Duration::from_secs(30 * 24 * 3600));
    ImageEngine::new(generator, store, limits, Some(web), Arc::new(SystemClock))
}

fn provider(server: &Server) -> Arc<dyn Generator> {
    let settings = ProviderSettings {
        base: server.base.clone(),
        model: "m".to_owned(),
        key: None,
        image_bytes: 1 << 20,
        timeout: Duration::from_secs(30),
        allow_plain: false,
        web: None,
    };
    Arc::new(ImageProvider::openai(&settings).unwrap())
}

fn answer() -> Reply {
    Reply::json(&json!({ "data": [{ "b64_json": PIXEL }] }))
}

async fn ask(
    engine: &ImageEngine,
    key: &str,
    count: u32,
) -> Result<GeneratedImages, CapabilityFault> {
    engine.generate(&caller("c"), request(key, count), ProgressSink::default()).await
}

/// The images of a request of which none is missing.
async fn make(engine: &ImageEngine, key: &str, count: u32) -> Result<Vec<Image>, CapabilityFault> {
    let made = ask(engine, key, count).await?;
    assert_eq!((made.requested, &made.missing), (count, &Vec::new()));
    Ok(made.images)
}

#[tokio::test]
async fn cards_are_made_kept_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), Arc::new(CardGenerator));
    let made = make(&engine, "k", 2).await.unwrap();
    assert_eq!(made.len(), 2);
    assert_eq!(made[0].made_by.as_deref(), Some("built-in card"));
    assert!(made[0].label.as_ref().unwrap().starts_with("a title card"), "{made:?}");
    assert_eq!((made[0].width, made[0].height), (Some(1280), Some(720)));
    assert!(made[0].url.starts_with("file:///"), "{}", made[0].url);
    assert_eq!(make(&engine, "k", 2).await.unwrap(), made);
    let get = |conversation: &str| {
        engine.get(&caller(conversation), ImageRequest { id: made[0].id.clone() })
    };
    assert_eq!(get("c").await.unwrap().as_ref(), Some(&made[0]));
    assert_eq!(get("other").await.unwrap(), None);
    let opened =
        engine.store().open(made[0].id.clone(), SystemClock.now_ms()).await.unwrap().unwrap();
    assert_eq!((opened.content_type, opened.conversation.as_str()), ("image/png", "c"));
}

#[tokio::test]
async fn a_picture_of_another_shape_says_so() {
    let server = Server::start(|_, _| answer());
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), provider(&server));
    let made = make(&engine, "k", 1).await.unwrap();
    assert_eq!(made[0].note.as_deref(), Some("it is 1 x 1 pixels and not 16:9 as asked"));
    let square = GenerateRequest { aspect_ratio: "1:1".to_owned(), ..request("k2", 1) };
    let made = engine.generate(&caller("c"), square, ProgressSink::default()).await.unwrap();
    assert_eq!(made.images[0].note, None);
}

#[tokio::test]
async fn the_same_key_is_asked_of_a_provider_once() {
    let server = Server::start(|_, _| answer());
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), provider(&server));
    let all = futures_util::future::join_all((0..5).map(|_| make(&engine, "k", 1))).await;
    let first = all[0].clone().unwrap();
    assert!(all.iter().all(|made| made.as_ref() == Ok(&first)));
    let reopened = self::engine(folder.path(), provider(&server));
    assert_eq!(make(&reopened, "k", 1).await.unwrap(), first);
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_lost_answer_is_never_asked_for_again() {
    let server = Server::start(|_, _| Reply::Hangup);
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), provider(&server));
    assert_eq!(make(&engine, "k", 1).await.unwrap_err().code, FaultCode::Timeout);
    let again = make(&engine, "k", 1).await.unwrap_err();
    assert_eq!(again.code, FaultCode::Timeout);
    assert!(again.message.contains("may have made it"), "{again}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_refusal_leaves_the_key_free() {
    let server =
        Server::start(|_, before| if before == 0 { Reply::status(429, "{}") } else { answer() });
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), provider(&server));
    assert_eq!(make(&engine, "k", 1).await.unwrap_err().code, FaultCode::RateLimit);
    assert!(make(&engine, "k", 1).await.is_ok());
}

#[tokio::test]
async fn a_file_that_is_no_image_is_not_stored() {
    use data_encoding::BASE64;
    for (bytes, words) in [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), "found markup"),
        (b"<html>".to_vec(), "found markup"),
        (b"hello".to_vec(), "found something else"),
        (BOMB.concat(), "found 65535x65535"),
        (vec![0; 5 << 18], "expected at most"),
    ] {
        let data = BASE64.encode(&bytes);
        let server =
            Server::start(move |_, _| Reply::json(&json!({ "data": [{ "b64_json": data }] })));
        let folder = tempfile::tempdir().unwrap();
        let engine = engine(folder.path(), provider(&server));
        let fault = make(&engine, "k", 1).await.unwrap_err();
        assert_eq!(fault.code, FaultCode::Unusable);
        assert!(fault.message.contains(words), "{fault}");
        // It may have been charged, so the same key does not ask again, and says the same.
        assert_eq!(make(&engine, "k", 1).await.unwrap_err(), fault);
        assert_eq!(server.asked().len(), 1);
        let names = std::fs::read_dir(folder.path()).unwrap().flatten();
        assert!(
            names.into_iter().all(|it| it.file_name().to_string_lossy().starts_with("images.db"))
        );
    }
}

fn missing(number: u32, reason: &str, may_be_charged: bool) -> MissingImage {
    MissingImage { number, reason: reason.to_owned(), may_be_charged }
}

#[tokio::test]
async fn images_that_were_made_are_kept_and_missing_ones_are_named() {
    let refusal = "{\"error\":{\"message\":\"rejected by the safety system\"}}";
    let server = Server::start(
        move |_, before| {
            if before == 1 { Reply::status(400, refusal) } else { answer() }
        },
    );
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), provider(&server));
    let made = ask(&engine, "k", 3).await.unwrap();
    assert_eq!((made.images.len(), made.requested), (1, 3));
    let refused = "openai answered with status 400: rejected by the safety system";
    let rest = "not begun, since the one before it was not made";
    assert_eq!(made.missing, [missing(2, refused, false), missing(3, rest, false)]);
    // The same key resumes where it stopped; images that were made are not paid for again.
    let again = make(&engine, "k", 3).await.unwrap();
    assert_eq!(again[0], made.images[0]);
    assert_eq!(server.asked().len(), 4);
}

#[tokio::test]
async fn a_lost_answer_after_others_leaves_those_and_is_never_asked_for_again() {
    let server = Server::start(|_, before| if before == 1 { Reply::Hangup } else { answer() });
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), provider(&server));
    let made = ask(&engine, "k", 2).await.unwrap();
    assert_eq!((made.images.len(), made.missing[0].may_be_charged), (1, true));
    let again = ask(&engine, "k", 2).await.unwrap();
    assert_eq!(again.images, made.images);
    let open = "an earlier attempt with this key may have made it; it is not made again";
    assert_eq!(again.missing, [missing(2, open, true)]);
    assert_eq!(server.asked().len(), 2);
}

/// A generator that takes its time, and counts.
#[derive(Debug)]
struct Slow {
    each: Duration,
    drawn: Arc<Mutex<u32>>,
}

impl Generator for Slow {
    fn name(&self) -> String {
        "slow".to_owned()
    }

    fn is_free(&self) -> bool {
        false
    }

    fn draw(
        &self,
        _: aileron_images::ImageSpec,
    ) -> aileron_capability::Answer<aileron_images::UncheckedImage> {
        let (each, drawn) = (self.each, self.drawn.clone());
        Box::pin(async move {
            *drawn.lock().unwrap() += 1;
            tokio::time::sleep(each).await;
            Ok(data_encoding::BASE64.decode(PIXEL.as_bytes()).unwrap().into())
        })
    }
}

#[tokio::test(start_paused = true)]
async fn images_that_would_not_be_done_in_time_are_not_begun() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = Arc::new(Mutex::new(0));
    let slow = Slow { each: Duration::from_secs(17), drawn: drawn.clone() };
    let engine = engine(folder.path(), Arc::new(slow));
    let minute = || ProgressSink::default().within(Duration::from_secs(60));
    let made = engine.generate(&caller("c"), request("k", 4), minute()).await.unwrap();
    assert_eq!((made.images.len(), made.requested), (3, 4));
    let reason = "not begun: 7 s were left, and one takes 17 s";
    assert_eq!(made.missing, [missing(4, reason, false)]);
    assert_eq!(*drawn.lock().unwrap(), 3);
    let again = engine.generate(&caller("c"), request("k", 4), minute()).await.unwrap();
    assert_eq!((&again.images[..3], again.missing), (&made.images[..], Vec::new()));
    assert_eq!((again.images.len(), *drawn.lock().unwrap()), (4, 4));
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_called_off_leaves_what_was_made() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = Arc::new(Mutex::new(0));
    let slow = Slow { each: Duration::from_secs(17), drawn: drawn.clone() };
    let engine = engine(folder.path(), Arc::new(slow));
    let cut = tokio::time::timeout(Duration::from_secs(40), ask(&engine, "k", 4)).await;
    assert!(cut.is_err());
    let again = ask(&engine, "k", 4).await.unwrap();
    assert_eq!((again.images.len(), *drawn.lock().unwrap()), (2, 3));
    let numbers: Vec<u32> = again.missing.iter().map(|it| it.number).collect();
    assert_eq!((numbers, again.missing[0].may_be_charged), (vec![3, 4], true));
}

#[tokio::test]
async fn requests_that_cannot_be_meant_are_refused_before_anybody_is_asked() {
    let server = Server::start(|_, _| answer());
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), provider(&server));
    for (change, words) in [
        (
            GenerateRequest { prompt: "x".repeat(100 * 1024), ..request("k", 1) },
            "at most 16384 bytes, found 102400",
        ),
        (
            GenerateRequest { prompt: " ".to_owned(), ..request("k", 1) },
            "expected a prompt, found none",
        ),
        (request("k", 0), "expected 1 to 4 images, found 0"),
        (request("k", 5), "expected 1 to 4 images, found 5"),
        (
            GenerateRequest { aspect_ratio: "2:1".to_owned(), ..request("k", 1) },
            "such as 16:9, found \"2:1\"",
        ),
    ] {
        let fault =
            engine.generate(&caller("c"), change, ProgressSink::default()).await.unwrap_err();
        assert_eq!(fault.code, FaultCode::Refused);
        assert!(fault.message.contains(words), "{fault}");
    }
    assert!(server.asked().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_slow_image_says_so_and_ends_at_its_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), Arc::new(Stalled));
    let told = Arc::new(Mutex::new(Vec::new()));
    let log = told.clone();
    let progress =
        ProgressSink::to(move |update| log.lock().unwrap().push(update["message"].to_string()));
    let fault = engine.generate(&caller("c"), request("k", 1), progress).await.unwrap_err();
    assert_eq!((fault.code, fault.message.as_str()), (FaultCode::Timeout, "no image within 30 s"));
    let told = told.lock().unwrap();
    assert_eq!(told.first().map(String::as_str), Some("\"image 1 of 1: 2 s so far\""));
    assert!(told.len() >= 14, "{told:?}");
}

/// A generator that never ends.
#[derive(Debug)]
struct Stalled;

impl Generator for Stalled {
    fn name(&self) -> String {
        "stalled".to_owned()
    }

    fn is_free(&self) -> bool {
        false
    }

    fn draw(
        &self,
        _: aileron_images::ImageSpec,
    ) -> aileron_capability::Answer<aileron_images::UncheckedImage> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_look_at_the_web_takes_images_of_public_hosts_alone() {
    let pixel = data_encoding::BASE64.decode(PIXEL.as_bytes()).unwrap();
    let server = Server::start(move |asked, _| match asked.path() {
        "/pixel" => Reply::Full(200, "content-type: text/html\r\n".to_owned(), pixel.clone()),
        "/svg" => Reply::Full(200, "content-type: image/png\r\n".to_owned(), b"<svg/>".to_vec()),
        "/bomb" => Reply::Full(200, String::new(), BOMB.concat()),
        "/frame" => Reply::Full(200, String::new(), LARGE_FRAME.to_vec()),
        "/half" => Reply::Full(200, String::new(), pixel[..pixel.len() - 12].to_vec()),
        "/large" => Reply::Full(200, String::new(), vec![0; 2 << 20]),
        "/inside" => Reply::Full(302, "location: http://10.0.0.1/\r\n".to_owned(), Vec::new()),
        _ => Reply::status(404, "nothing"),
    });
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), Arc::new(CardGenerator));
    let look = |url: String| engine.look(&caller("c"), LookRequest { url });
    let seen = look(format!("{}/pixel", server.base)).await.unwrap();
    assert_eq!((seen.content_type.as_str(), seen.width, seen.height), ("image/png", 1, 1));
    for (url, words) in [
        (format!("{}/svg", server.base), "found markup"),
        (format!("{}/bomb", server.base), "found 65535x65535"),
        (format!("{}/frame", server.base), "found 65535x65535"),
        (format!("{}/half", server.base), "found a damaged one"),
        (format!("{}/large", server.base), "more than 1048576 bytes"),
        (format!("{}/none", server.base), "found status 404"),
        (format!("{}/inside", server.base), "not public"),
        ("http://169.254.169.254/latest".to_owned(), "not public"),
        ("file:///etc/passwd".to_owned(), "expected"),
        ("https://user:password@example.com/a.png".to_owned(), "user name or password"),
    ] {
        let fault = look(url.clone()).await.unwrap_err();
        assert_eq!(fault.code, FaultCode::Refused, "{url}: {fault}");
        assert!(fault.message.contains(words), "{url}: {fault}");
    }
}
