//! Draft, generate, show: with the built-in card.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Command, Stdio};

use serde_json::json;

use super::server::{Reply, Server};
use super::{data, error};
use crate::simulate;
use crate::workspace::Workspace;

#[test]
fn an_image_is_drafted_made_and_shown() {
    let workspace = Workspace::new();
    let drafted = data(
        &workspace,
        "image_draft_prompt",
        &json!({ "subject": "a lighthouse", "variants": 1 }),
        &[],
    );
    let prompt = &drafted["variants"][0]["prompt"];
    let made = data(
        &workspace,
        "image_generate",
        &json!({ "prompt": prompt, "user_requested": true, "aspect_ratio": "16:9" }),
        &[],
    );
    let image = &made["images"][0];
    assert_eq!((&made["requested"], &made["made"]), (&json!(1), &json!(1)));
    assert!(image["label"].as_str().unwrap().starts_with("a title card drawn on this machine"));
    assert_eq!(
        (&image["made_by"], &image["content_type"]),
        (&json!("built-in card"), &json!("image/png"))
    );
    let path = image["url"].as_str().unwrap().strip_prefix("file://").unwrap().to_owned();
    assert!(fs::read(path).unwrap().starts_with(b"\x89PNG"));
    let shown = data(
        &workspace,
        "send_image",
        &json!({ "image": image["id"], "caption": "The lighthouse" }),
        &[],
    );
    assert_eq!((&shown["image_id"], &shown["label"]), (&image["id"], &image["label"]));
}

#[test]
fn a_card_says_which_characters_it_cannot_draw() {
    let workspace = Workspace::new();
    let made = data(
        &workspace,
        "image_generate",
        &json!({ "prompt": "маяк и луна", "user_requested": true }),
        &[],
    );
    let note = made["images"][0]["note"].as_str().unwrap();
    assert!(note.starts_with("9 of 9 characters on the card stand as \"?\""), "{note}");
}

/// A service that answers like this, and its settings.
fn service(
    workspace: &Workspace,
    answer: impl Fn(usize) -> Reply + Send + Sync + 'static,
) -> Server {
    let server = Server::start(move |_, before| answer(before));
    workspace.write(
        "aileron.toml",
        format!("[images]\nengine = 'openai'\nurl = '{}/v1'\ntimeout_seconds = 10\n", server.base),
    );
    server
}

/// An answer with this file, which is in base64.
fn encoded(file: &str) -> Reply {
    Reply::json(&json!({ "data": [{ "b64_json": file }] }))
}

/// One pixel.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SVG: &str = "PHN2ZyBvbmxvYWQ9J2FsZXJ0KDEpJy8+";

#[test]
fn fewer_images_than_asked_for_are_told_with_the_reason() {
    let refusal = "{\"error\":{\"message\":\"the safety system\"}}";
    for (bad, reason, may_be_charged) in [
        (Reply::status(400, refusal), "openai answered with status 400: the safety system", false),
        (Reply::Silence, "within 10 s", true),
        (encoded(SVG), "found markup", true),
    ] {
        let workspace = Workspace::new();
        let server = service(&workspace, move |before| match before {
            0 => encoded(PIXEL),
            _ => bad.clone(),
        });
        let args = json!({ "prompt": "a lighthouse", "user_requested": true, "count": 3 });
        let made = data(&workspace, "image_generate", &args, &[]);
        assert_eq!((&made["requested"], &made["made"]), (&json!(3), &json!(1)));
        let path = made["images"][0]["url"].as_str().unwrap().strip_prefix("file://").unwrap();
        assert!(fs::read(path).unwrap().starts_with(b"\x89PNG"));
        let [second, third] = made["missing"].as_array().unwrap().as_slice() else {
            panic!("{made}")
        };
        assert!(second["reason"].as_str().unwrap().contains(reason), "{made}");
        assert_eq!(second["may_be_charged"], may_be_charged);
        assert!(third["reason"].as_str().unwrap().starts_with("not begun"), "{made}");
        assert_eq!(server.asked().len(), 2);
    }
}

#[test]
fn what_is_no_whole_image_is_refused_and_may_have_been_charged() {
    for (what, file, words) in [
        ("a vector graphic", SVG, "found markup"),
        ("a page", "PGh0bWw+aGk8L2h0bWw+", "found markup"),
        (
            "a GIF with a huge frame on a tiny screen",
            "R0lGODlhAQABAAAAACwAAAAA/////wACAkQBADs=",
            "found 65535x65535",
        ),
        ("the first bytes of a GIF", "R0lGODlhAQABAA==", "found a damaged one"),
        ("a JPEG that ends at its size", "/9j/wAARCAAQABAD", "found a damaged one"),
        (
            "a WebP with a head alone",
            "UklGRhYAAABXRUJQVlA4WAoAAAAAAAAADwAADwAA",
            "found a damaged one",
        ),
    ] {
        let workspace = Workspace::new();
        let _server = service(&workspace, move |_| encoded(file));
        let args = json!({ "prompt": "a lighthouse", "user_requested": true });
        let error = error(&workspace, "image_generate", &args, &[]);
        assert_eq!(
            (&error["type"], &error["retryable"], &error["partialSideEffects"]),
            (&json!("PERMANENT"), &json!(false), &json!(true))
        );
        assert!(error["message"].as_str().unwrap().contains(words), "{what}: {error}");
    }
}

#[test]
fn the_person_is_asked_for_what_is_sensitive_or_unasked_alone() {
    let workspace = Workspace::new();
    let harmless = json!({ "prompt": "a lighthouse", "user_requested": true });
    data(&workspace, "image_generate", &harmless, &[]);
    for asked in [
        json!({ "prompt": "a lighthouse", "user_requested": false }),
        json!({ "prompt": "a famous singer", "user_requested": true, "sensitive_topics": ["real_person"] }),
    ] {
        assert_eq!(
            error(&workspace, "image_generate", &asked, &[])["type"],
            "CONFIRMATION_REQUIRED"
        );
        data(&workspace, "image_generate", &asked, &["--confirm"]);
    }
    let hidden = json!({ "prompt": "a famous singer with a gun", "user_requested": true });
    assert_eq!(error(&workspace, "image_generate", &hidden, &[])["type"], "CONFLICT");
}

#[test]
fn bad_input_is_refused() {
    let workspace = Workspace::new();
    let long = json!({ "prompt": "x".repeat(100 * 1024), "user_requested": true });
    let args = long.to_string();
    workspace.write("long.json", &args);
    let tools = crate::workspace::repository().join("tools");
    let run = workspace.with_stdin(
        &["call", "image_generate", "-", "--tools", tools.to_str().unwrap()],
        args.as_bytes(),
    );
    assert_eq!(run.json()["error"]["type"], "VALIDATION");
    for (image, kind) in [
        ("img_unknown", "PERMANENT"),
        ("file:///etc/passwd", "VALIDATION"),
        ("http://127.0.0.1/camera.jpg", "PERMANENT"),
        ("http://[::1]/camera.jpg", "PERMANENT"),
    ] {
        let found =
            error(&workspace, "send_image", &json!({ "image": image, "caption": "x" }), &[]);
        assert_eq!(found["type"], kind, "{image}: {found}");
    }
}

/// An image service that never answers; the listener tells when it is asked.
pub(super) fn stalled(workspace: &Workspace, more: &str) -> TcpListener {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    workspace.write(
        "aileron.toml",
        format!("[images]\nengine = 'openai'\nurl = 'http://{address}/v1'\n{more}"),
    );
    listener
}

#[test]
fn a_person_who_leaves_ends_the_request_to_the_service() {
    let workspace = Workspace::new();
    let listener = stalled(&workspace, "");
    let tools = crate::workspace::repository().join("tools");
    let args = json!({ "prompt": "a lighthouse", "user_requested": true }).to_string();
    let mut child = workspace
        .command()
        .args(["call", "image_generate", &args, "--conversation", "c", "--tools"])
        .arg(tools)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut asked, _) = listener.accept().unwrap();
    let mut first = [0; 4];
    asked.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"POST");
    let id = child.id().to_string();
    let press = || {
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    };
    press();
    let mut talk = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(talk.any(|line| line.starts_with("interrupted; ")));
    press();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    // The service notices that the caller is gone: the connection ends.
    let _ = asked.read_to_end(&mut Vec::new());
}

#[test]
fn a_service_that_stalls_meets_its_deadline() {
    let workspace = Workspace::new();
    let listener = stalled(&workspace, "timeout_seconds = 6\n");
    let args = json!({ "prompt": "a lighthouse", "user_requested": true });
    let run = super::call(&workspace, "image_generate", &args, &[]);
    drop(listener);
    let error = &run.json()["error"];
    assert_eq!(
        (&error["type"], &error["partialSideEffects"], &error["retryable"]),
        (&json!("TRANSIENT"), &json!(true), &json!(false))
    );
    assert!(run.stderr.contains("image 1 of 1: 2 s so far"), "{}", run.stderr);
}

/// With the path of their API.
const PROVIDERS: [(&str, &str); 2] = [("openai", "v1"), ("gemini", "v1beta")];

/// A provider in a box, which is as strict as the real one.
fn simulated(
    workspace: &Workspace,
    (engine, version): (&str, &str),
    faults: &[&str],
) -> simulate::Simulation {
    let simulation = simulate::start(workspace, &[&[engine], faults].concat());
    let address = simulation.line("plain").split("://").last().unwrap().to_owned();
    workspace.write(
        "aileron.toml",
        format!(
            "[images]\nengine = '{engine}'\nurl = 'http://{address}/{version}'\nkey = 'A_KEY'\n"
        ),
    );
    simulation
}

fn asked_of(workspace: &Workspace, args: &serde_json::Value) -> crate::workspace::Run {
    let tools = crate::workspace::repository().join("tools");
    let mut command = workspace.command();
    command.args(["call", "image_generate", &args.to_string(), "--conversation", "c", "--tools"]);
    crate::workspace::Run::of(command.arg(tools).env("A_KEY", "sk-test").output().unwrap())
}

#[test]
fn each_provider_makes_pictures() {
    for (engine, version) in PROVIDERS {
        let workspace = Workspace::new();
        let _simulation = simulated(&workspace, (engine, version), &[]);
        let args = json!({ "prompt": "a lighthouse", "user_requested": true, "count": 2, "aspect_ratio": "16:9" });
        let run = asked_of(&workspace, &args);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        let images = run.json()["data"]["images"].clone();
        assert_eq!(images.as_array().unwrap().len(), 2);
        for image in images.as_array().unwrap() {
            assert!(image["made_by"].as_str().unwrap().starts_with(engine), "{image}");
            let path = image["url"].as_str().unwrap().strip_prefix("file://").unwrap();
            assert!(fs::read(path).unwrap().starts_with(b"\x89PNG"));
        }
        assert!(run.stderr.contains("image 2 of 2 is made"), "{}", run.stderr);
    }
}

/// Reports the actual properties of an image, not the requested ones.
#[test]
fn the_shape_that_a_model_made_is_told() {
    let workspace = Workspace::new();
    let _simulation = simulated(&workspace, ("openai", "v1"), &[]);
    for (asked, told, noted) in [("16:9", "3:2", true), ("1:1", "1:1", false)] {
        let args = json!({ "prompt": "a ship", "user_requested": true, "aspect_ratio": asked });
        let image = asked_of(&workspace, &args).json()["data"]["images"][0].clone();
        assert_eq!(
            (&image["aspect_ratio"], image["note"].is_string()),
            (&json!(told), noted),
            "{image}"
        );
    }
    let settings = fs::read_to_string(workspace.path("aileron.toml")).unwrap();
    workspace.write("aileron.toml", format!("{settings}model = 'dall-e-3'\n"));
    let args = json!({ "prompt": "a boat", "user_requested": true, "aspect_ratio": "16:9" });
    let image = asked_of(&workspace, &args).json()["data"]["images"][0].clone();
    assert_eq!((&image["aspect_ratio"], &image["note"]), (&json!("16:9"), &json!(null)));
}

#[test]
fn a_provider_that_declines_or_answers_with_a_page_is_told_apart() {
    let args = json!({ "prompt": "a lighthouse", "user_requested": true });
    for provider in PROVIDERS {
        for (fault, kind, open) in [("refuse", "PERMANENT", false), ("html", "PERMANENT", true)] {
            let workspace = Workspace::new();
            let _simulation = simulated(&workspace, provider, &["--fault", fault]);
            let run = asked_of(&workspace, &args);
            let error = &run.json()["error"];
            let found = (&error["type"], &error["partialSideEffects"]);
            assert_eq!(found, (&json!(kind), &json!(open)), "{provider:?} {fault}: {error}");
            assert_eq!(error["retryable"], false, "{error}");
            let kept = fs::read_dir(workspace.path(".aileron/images")).unwrap().flatten();
            let pictures = kept.filter(|it| it.path().extension().is_some_and(|it| it == "png"));
            assert_eq!(pictures.count(), 0);
        }
    }
}
