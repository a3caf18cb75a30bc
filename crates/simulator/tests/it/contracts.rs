//! Per-model contracts: the simulator refuses what each model refuses, and our transports send nothing of it.

use std::sync::Arc;

use aileron_contract::text::{ChatMessage, CompletedReply, ModelRequest, ReplyEvent, Tools};
use aileron_contract::transport::{Command, Effects, OutgoingFrame, Protocol, Setup};
use aileron_simulator::simulated_model::{HistoryItem, ModelAction, ModelInput, PlannedCall};
use aileron_simulator::{Options, Rules, RunningSimulator};
use aileron_transports::gemini_live::GeminiLiveOptions;
use aileron_transports::text::{ApiKey, Reasoning};
use aileron_transports::{GeminiLive, TextModel, TextOptions, TextProvider};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::agent::simulator;

const GEMINI: &str = "ws/google.ai.generativelanguage.v1.GenerativeService.BidiGenerateContent";

/// The models with a contract of their own, and one without.
const LIVE: [&str; 5] = [
    "gemini-2.5-flash-native-audio",
    "gemini-3.1-flash-live-preview",
    "gemini-3.8-live",
    "gemini-3.8-live-extended-thinking",
    "gemini-9-live",
];

/// Sends messages to Gemini Live; returns the close reason, or nothing if the last frame is an answer.
async fn refusal(running: &RunningSimulator, messages: &[String]) -> Option<String> {
    let stream = TcpStream::connect(running.address).await.unwrap();
    let url = format!("ws://{}/{GEMINI}?key=any", running.address);
    let (mut socket, _) = client_async(url.into_client_request().unwrap(), stream).await.unwrap();
    for message in messages {
        socket.send(Message::text(message.clone())).await.unwrap();
    }
    match socket.next().await.unwrap().unwrap() {
        Message::Close(frame) => {
            let frame = frame.unwrap();
            assert_eq!(u16::from(frame.code), 1007, "{}", frame.reason);
            Some(frame.reason.to_string())
        }
        _ => None,
    }
}

async fn check_setup(model: &str, extra: Value, refused_for: &str) {
    let running = simulator(Options::default()).await;
    let mut setup = json!({ "model": format!("models/{model}") });
    setup.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    let reason = refusal(&running, &[json!({ "setup": setup }).to_string()]).await;
    match refused_for {
        "" => assert_eq!(reason, None, "{model} {extra}"),
        words => assert!(reason.unwrap_or_default().contains(words), "{model} {extra}"),
    }
}

fn thinking(level: &str) -> Value {
    json!({ "generationConfig": { "thinkingConfig": { "thinkingLevel": level } } })
}

fn function(behavior: &str) -> Value {
    json!({ "tools": [{ "functionDeclarations": [{ "name": "f", "behavior": behavior }] }] })
}

#[tokio::test]
async fn thinking_levels_are_taken_by_the_models_that_have_them() {
    check_setup("gemini-3.8-live", thinking("LOW"), "thinking_level").await;
    check_setup("gemini-3.1-flash-live-preview", thinking("MINIMAL"), "").await;
    check_setup("gemini-3.8-live-extended-thinking", thinking("LOW"), "").await;
    check_setup("gemini-3.8-live-extended-thinking", thinking("MINIMAL"), "thinking_level").await;
}

#[tokio::test]
async fn the_newest_live_model_refuses_what_was_removed() {
    let model = "gemini-3.8-live";
    let affective = json!({ "generationConfig": { "enableAffectiveDialog": true } });
    let language = json!({ "generationConfig": { "speechConfig": { "languageCode": "de-DE" } } });
    let text = json!({ "generationConfig": { "responseModalities": ["TEXT"] } });
    let quiet = json!({ "proactivity": { "proactiveAudio": false } });
    check_setup(model, affective, "enable_affective_dialog").await;
    check_setup(model, language, "language_code").await;
    check_setup(model, text, "response_modalities").await;
    check_setup(model, quiet, "proactive_audio").await;
    check_setup(
        model,
        json!({ "proactivity": { "proactiveAudio": true, "proactiveVideo": true } }),
        "",
    )
    .await;
    let smart = json!({ "inputAudioTranscription": { "mode": "SMART", "sourceText": true } });
    check_setup(model, smart, "").await;
}

#[tokio::test]
async fn each_live_model_takes_its_own_call_modes() {
    check_setup("gemini-3.8-live", function("BLOCKING"), "").await;
    check_setup("gemini-3.8-live", function("NON_BLOCKING"), "").await;
    check_setup("gemini-3.8-live-extended-thinking", function("BLOCKING"), "behavior").await;
    check_setup("gemini-3.1-flash-live-preview", function("NON_BLOCKING"), "behavior").await;
}

#[tokio::test]
async fn our_setup_is_accepted_by_every_live_model() {
    for model in LIVE {
        let mut setup = Setup::new(model, "Be brief.");
        setup.language = Some("de-DE".to_owned());
        setup.reads = vec!["find".to_owned()];
        setup.declarations = ["find", "book"]
            .map(|name| json!({ "name": name, "description": "Does it." }))
            .to_vec();
        let mut protocol = GeminiLive::new(GeminiLiveOptions::for_model(model));
        let mut effects = Effects::default();
        protocol.command(Command::Start(&setup), &mut effects).unwrap();
        let frames = effects.frames.into_iter().map(|frame| match frame {
            OutgoingFrame::Text(text) => text,
            OutgoingFrame::Close => panic!("closed"),
        });
        let frames: Vec<_> = frames.collect();
        let sent: Value = serde_json::from_str(&frames[0]).unwrap();
        let running = simulator(Options::default()).await;
        assert_eq!(refusal(&running, &frames).await, None, "{model}: {sent}");
        let declared = &sent["setup"]["tools"][0]["functionDeclarations"];
        let behaviours = (declared[0]["behavior"].as_str(), declared[1]["behavior"].as_str());
        let expected = match model {
            "gemini-3.8-live" | "gemini-2.5-flash-native-audio" => {
                (Some("NON_BLOCKING"), Some("BLOCKING"))
            }
            "gemini-3.8-live-extended-thinking" => (Some("NON_BLOCKING"), Some("NON_BLOCKING")),
            _ => (None, None),
        };
        assert_eq!(behaviours, expected, "{model}");
    }
}

/// Calls once, then answers.
fn calls_once(scene: &ModelInput) -> Vec<ModelAction> {
    match scene.items.last() {
        Some(HistoryItem::Returned(_)) => vec![ModelAction::Say("It is sunny.".to_owned())],
        _ => vec![ModelAction::Call(vec![PlannedCall {
            id: None,
            name: "get_weather".to_owned(),
            args: serde_json::Map::new(),
        }])],
    }
}

fn text_model(running: &RunningSimulator, provider: &str, model: &str) -> TextModel {
    let mut options = TextOptions::new(TextProvider::named(provider).unwrap(), model);
    options.base_url = Some(format!("http://{}", running.address).parse().unwrap());
    options.key = Some(ApiKey::new("any"));
    options.reasoning = Reasoning::Medium;
    TextModel::new(options).unwrap()
}

async fn reply(model: &TextModel, instructions: &str, messages: &[ChatMessage]) -> CompletedReply {
    let declarations = [json!({
        "name": "get_weather", "description": "Tells the weather.",
        "input_schema": { "type": "object", "properties": {} },
    })];
    let request =
        ModelRequest { instructions, declarations: &declarations, messages, tools: Tools::Offered };
    let mut events = model.begin(&request);
    while let Some(event) = events.next().await {
        if let ReplyEvent::Done(reply) = event.unwrap() {
            return reply;
        }
    }
    panic!("no reply");
}

fn kept(reply: &CompletedReply) -> ChatMessage {
    ChatMessage::Model { parts: reply.parts.clone(), original: reply.original.clone() }
}

#[tokio::test]
async fn thoughts_go_back_to_the_model_that_had_them_and_to_no_other() {
    let running =
        simulator(Options { model: Arc::new(Rules(calls_once)), ..Options::default() }).await;
    let opus = text_model(&running, "anthropic", "claude-opus-5-5");
    let person = ChatMessage::Person { text: "How is the weather?".to_owned() };
    let called = reply(&opus, "Be brief.", std::slice::from_ref(&person)).await;
    let blocks = called.original.clone().unwrap().content;
    assert_eq!(blocks[0]["type"], "thinking", "{blocks}");
    let results = ChatMessage::Results { answers: Vec::new() };
    let history = [person, kept(&called), results];
    let answered = reply(&opus, "Be brief.", &history).await;
    assert_eq!(answered.parts.last().map(|part| format!("{part:?}").contains("sunny")), Some(true));
    // Another model, or other instructions, would refuse the signature.
    let later = [
        history.as_slice(),
        &[kept(&answered), ChatMessage::Person { text: "And now?".to_owned() }],
    ]
    .concat();
    for model in ["claude-sonnet-5-5", "claude-opus-4-7", "claude-opus-5-5"] {
        reply(&text_model(&running, "anthropic", model), "Be very brief.", &later).await;
    }
}

#[tokio::test]
async fn every_text_model_takes_our_requests_with_reasoning() {
    let running = simulator(Options::default()).await;
    for model in ["claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-4-1", "claude-next"] {
        let person = ChatMessage::Person { text: "Hello".to_owned() };
        reply(&text_model(&running, "anthropic", model), "", &[person]).await;
    }
}
