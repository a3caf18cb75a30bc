//! Providers over a real socket, with strict checks of requests, and with faults.

use std::sync::Arc;
use std::time::Duration;

use aileron_capability::FaultCode;
use aileron_capability::http::HttpOptions;
use aileron_images::{AspectRatio, Generator, ImageProvider, ImageSpec, ProviderSettings};
use serde_json::{Value, json};

use super::server::{Asked, Reply, Server};

const SECRET: &str = "sk-very-secret-1234";
/// One pixel.
pub(crate) const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn settings(server: &Server) -> ProviderSettings {
    ProviderSettings {
        base: format!("{}/v1", server.base),
        model: "small-3".to_owned(),
        key: Some(SECRET.to_owned()),
        image_bytes: 1 << 20,
        timeout: Duration::from_secs(20),
        allow_plain: false,
        web: None,
    }
}

fn drawing() -> ImageSpec {
    ImageSpec {
        prompt: "a lighthouse".to_owned(),
        negative_prompt: "people".to_owned(),
        shape: AspectRatio::Wide,
        number: 0,
    }
}

const PROMPT: &str = "a lighthouse\n\nKeep out of the image: people";

fn openai_answer(asked: &Asked) -> Reply {
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    let expected = json!({ "model": "small-3", "prompt": PROMPT, "n": 1, "size": "1536x1024" });
    if asked.line != "POST /v1/images/generations" || body != expected {
        return Reply::status(
            400,
            &format!("{{\"error\":{{\"message\":\"unexpected {}\"}}}}", asked.line),
        );
    }
    if asked.header("authorization") != Some(&format!("Bearer {SECRET}")) {
        return Reply::status(401, "{}");
    }
    Reply::json(&json!({ "created": 1, "data": [{ "b64_json": PIXEL }] }))
}

fn gemini_answer(asked: &Asked) -> Reply {
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    let expected = json!({
        "contents": [{ "role": "user", "parts": [{ "text": PROMPT }] }],
        "generationConfig": { "responseModalities": ["IMAGE"], "imageConfig": { "aspectRatio": "16:9" } },
    });
    if asked.line != "POST /v1/models/small-3:generateContent" || body != expected {
        return Reply::status(400, "{\"error\":{\"message\":\"unexpected\"}}");
    }
    if asked.header("x-goog-api-key") != Some(SECRET) || asked.header("authorization").is_some() {
        return Reply::status(401, "{}");
    }
    let parts = json!([{ "text": "Here it is" }, { "inlineData": { "mimeType": "image/png", "data": PIXEL } }]);
    Reply::json(
        &json!({ "candidates": [{ "content": { "parts": parts }, "finishReason": "STOP" }] }),
    )
}

#[tokio::test]
async fn each_provider_is_asked_as_its_reference_says() {
    let server = Server::start(|asked, _| openai_answer(asked));
    let openai = ImageProvider::openai(&settings(&server)).unwrap();
    let picture = openai.draw(drawing()).await.unwrap();
    assert!(picture.bytes.starts_with(b"\x89PNG"));
    assert_eq!((openai.name().as_str(), openai.is_free()), ("openai/small-3", false));
    let server = Server::start(|asked, _| gemini_answer(asked));
    let gemini = ImageProvider::gemini(&settings(&server)).unwrap();
    assert!(gemini.draw(drawing()).await.unwrap().bytes.starts_with(b"\x89PNG"));
}

#[tokio::test]
async fn each_model_of_openai_is_asked_for_a_size_it_has() {
    for (model, expected) in [
        ("gpt-image-1", ["1024x1024", "1536x1024", "1024x1536", "1536x1024", "1024x1536"]),
        ("dall-e-3", ["1024x1024", "1792x1024", "1024x1792", "1792x1024", "1024x1792"]),
        ("dall-e-2", ["1024x1024"; 5]),
    ] {
        let server = Server::start(|_, _| Reply::json(&json!({ "data": [{ "b64_json": PIXEL }] })));
        let settings = ProviderSettings { model: model.to_owned(), ..settings(&server) };
        let openai = ImageProvider::openai(&settings).unwrap();
        for shape in [
            AspectRatio::Square,
            AspectRatio::Landscape,
            AspectRatio::Portrait,
            AspectRatio::Wide,
            AspectRatio::Tall,
        ] {
            openai.draw(ImageSpec { shape, ..drawing() }).await.unwrap();
        }
        let asked = server.asked().into_iter().map(|asked| {
            let body: Value = serde_json::from_str(&asked.body).unwrap();
            body["size"].as_str().unwrap().to_owned()
        });
        assert_eq!(asked.collect::<Vec<_>>(), expected, "{model}");
    }
}

/// The fault of a drawing when every request is answered like this.
async fn fails(reply: Reply) -> (FaultCode, String) {
    let is_silent = matches!(reply, Reply::Silence);
    let server = Server::start(move |_, _| reply.clone());
    let mut settings = settings(&server);
    settings.timeout = Duration::from_millis(if is_silent { 300 } else { 20_000 });
    let mut faults = Vec::new();
    for provider in [ImageProvider::openai(&settings), ImageProvider::gemini(&settings)] {
        let fault = provider.unwrap().draw(drawing()).await.unwrap_err();
        assert!(!fault.message.contains(SECRET), "{fault}");
        faults.push((fault.code, fault.message.replace("gemini", "openai")));
    }
    assert_eq!(faults[0], faults[1]);
    assert_eq!(server.asked().len(), 2, "nothing that costs is asked twice");
    faults.remove(0)
}

#[tokio::test]
async fn bad_answers_are_told_apart() {
    let quoting = format!("{{\"error\":{{\"message\":\"Incorrect key {SECRET}\"}}}}");
    for (reply, code, words) in [
        (
            Reply::status(401, &quoting),
            FaultCode::Auth,
            "openai answered with status 401: check the key",
        ),
        (Reply::status(429, "{}"), FaultCode::RateLimit, "openai answered with status 429"),
        (
            Reply::status(
                400,
                "{\"error\":{\"message\":\"Your request was\\n rejected by the safety system\"}}",
            ),
            FaultCode::Refused,
            "openai answered with status 400: Your request was rejected by the safety system",
        ),
        (
            Reply::status(500, "<html>oops</html>"),
            FaultCode::Unavailable,
            "openai answered with status 500",
        ),
        (
            Reply::status(200, "<!doctype html><title>Sign in</title>"),
            FaultCode::Unusable,
            "expected an image from openai, found an answer that is not JSON",
        ),
        (Reply::Silence, FaultCode::Timeout, "no whole answer within 0.3 s"),
    ] {
        assert_eq!(fails(reply).await, (code, words.to_owned()));
    }
    for torn in [Reply::Hangup, Reply::Torn] {
        assert_eq!(fails(torn).await.0, FaultCode::Timeout);
    }
    let elsewhere = "location: http://127.0.0.1:1/\r\n".to_owned();
    let (code, words) = fails(Reply::Full(302, elsewhere, Vec::new())).await;
    assert_eq!(code, FaultCode::Refused);
    assert!(words.starts_with("the server redirects to another server"), "{words}");
    let huge = vec![b' '; 4 << 20];
    assert!(fails(Reply::Full(200, String::new(), huge)).await.1.contains("more than"));
}

#[tokio::test]
async fn an_answer_without_an_image_says_what_was_expected() {
    let server = Server::start(|_, _| Reply::status(200, "{}"));
    for (provider, words) in [
        (
            ImageProvider::openai(&settings(&server)),
            "expected an image from openai, found neither `data[0].b64_json` nor `data[0].url`",
        ),
        (
            ImageProvider::gemini(&settings(&server)),
            "expected an image from gemini, found no `inlineData` in `candidates[0].content.parts`",
        ),
    ] {
        let fault = provider.unwrap().draw(drawing()).await.unwrap_err();
        assert_eq!((fault.code, fault.message.as_str()), (FaultCode::Unusable, words));
    }
}

/// A server that answers with the address of an image, and the image at `/made.png`.
fn addressing(url: impl Fn(&Asked) -> String + Send + Sync + 'static) -> Server {
    let pixel = data_encoding::BASE64.decode(PIXEL.as_bytes()).unwrap();
    Server::start(move |asked, _| match asked.path() {
        "/v1/images/generations" => Reply::json(&json!({ "data": [{ "url": url(asked) }] })),
        "/made.png" => Reply::Full(200, String::new(), pixel.clone()),
        _ => Reply::status(404, "nothing"),
    })
}

#[tokio::test]
async fn an_image_may_be_at_an_address_of_the_server_itself() {
    let at = |path: &'static str| {
        move |asked: &Asked| format!("http://{}{path}", asked.header("host").unwrap())
    };
    let server = addressing(at("/made.png"));
    let openai = ImageProvider::openai(&settings(&server)).unwrap();
    assert!(openai.draw(drawing()).await.unwrap().bytes.starts_with(b"\x89PNG"));
    let server = addressing(at("/gone.png"));
    let openai = ImageProvider::openai(&settings(&server)).unwrap();
    let fault = openai.draw(drawing()).await.unwrap_err();
    assert_eq!(
        (fault.code, fault.message.as_str()),
        (
            FaultCode::Unusable,
            "expected an image from openai, found an address of one, and there status 404"
        )
    );
}

#[tokio::test]
async fn an_image_elsewhere_is_fetched_from_public_hosts_alone_and_without_the_key() {
    let elsewhere = addressing(|_| String::new());
    let url = format!("{}/made.png", elsewhere.base);
    let server = addressing(move |_| url.clone());
    for (allowed, is_fetched) in [(vec!["127.0.0.1".to_owned()], true), (vec![], false)] {
        let options = HttpOptions { allow_private: allowed, ..HttpOptions::default() };
        let web = Some(Arc::new(aileron_http::client(options).unwrap()));
        let settings = ProviderSettings { web, ..settings(&server) };
        let drawn = ImageProvider::openai(&settings).unwrap().draw(drawing()).await;
        match drawn {
            Ok(picture) => assert!(is_fetched && picture.bytes.starts_with(b"\x89PNG")),
            Err(fault) => {
                assert!(!is_fetched && fault.message.contains("not public"), "{fault}");
                assert_eq!(fault.code, FaultCode::Unusable);
            }
        }
    }
    let asked = elsewhere.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].header("authorization"), None);
}

#[tokio::test]
async fn a_key_goes_over_plain_http_to_this_machine_alone() {
    let server = Server::start(|_, _| Reply::Hangup);
    let at = |base: &str, allow_plain| {
        let settings = ProviderSettings { base: base.to_owned(), allow_plain, ..settings(&server) };
        ImageProvider::openai(&settings).map(|_| ())
    };
    for base in ["http://example.com/v1", "http://10.0.0.7:8080/v1", "http://localhost.example/v1"]
    {
        let why = at(base, false).unwrap_err();
        assert!(why.starts_with("expected https, found http"), "{why}");
        assert_eq!(at(base, true), Ok(()));
    }
    for base in ["https://example.com/v1", "http://localhost:1/v1", "http://[::1]:1/v1"] {
        assert_eq!(at(base, false), Ok(()));
    }
}

#[tokio::test]
async fn a_declined_prompt_is_final() {
    for answer in [
        json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" } }),
        json!({ "candidates": [{ "finishReason": "PROHIBITED_CONTENT" }] }),
    ] {
        let server = Server::start(move |_, _| Reply::json(&answer));
        let gemini = ImageProvider::gemini(&settings(&server)).unwrap();
        let fault = gemini.draw(drawing()).await.unwrap_err();
        assert_eq!(
            (fault.code, fault.message.as_str()),
            (FaultCode::Refused, "gemini declined the prompt: PROHIBITED_CONTENT")
        );
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_was_not_asked() {
    let server = Server::start(|_, _| Reply::Hangup);
    let mut settings = settings(&server);
    let unused = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    settings.base = format!("http://{unused}");
    let fault = ImageProvider::openai(&settings).unwrap().draw(drawing()).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Unavailable, "{fault}");
}
