//! Voice without a key: the built-in provider over a real socket, with the offline rules.

use std::sync::Arc;

use aileron_capability::{Clock, SystemClock};
use aileron_server::voice::{Providers, VoiceSessionLimits};
use aileron_simulator::Rules;
use aileron_simulator::{Options, Simulator};
use aileron_store::{MemoryStore, Store};
use serde_json::json;
use tokio::net::TcpListener;

use super::client::{Client, Sent};
use super::stage::assemble;

#[tokio::test]
async fn the_built_in_voice_answers_what_is_written_with_words_and_a_tone() {
    let options = Options { model: Arc::new(Rules(aileron_offline::decide)), ..Options::default() };
    let simulator = Simulator::begin(options).await.unwrap();
    let providers = Providers::offline(&format!("http://{}", simulator.address)).unwrap();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let app = assemble("", VoiceSessionLimits::default(), clock, &store, providers);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (_stop, stopped) = tokio::sync::oneshot::channel::<()>();
    tokio::spawn(aileron_server::serve(app.clone(), listener, async { drop(stopped.await) }));

    let mut client = Client::connect(&address, None).await.unwrap();
    client.start().await;
    let ready = client.expect("ready").await;
    assert_eq!(ready["provider"], "offline");
    assert_eq!(ready["notes"].as_array().unwrap().len(), 2);
    client.say(json!({ "type": "text", "text": "hello" })).await;
    let (mut audio, mut words) = (0, String::new());
    loop {
        match client.next().await {
            Sent::Audio(bytes) => audio += bytes,
            Sent::Message(message) if message["type"] == "turn_complete" => break,
            Sent::Message(message) if message["final"] == true => {
                words = message["text"].as_str().unwrap().to_owned();
            }
            Sent::Message(_) => {}
            other => panic!("unexpected {other:?}"),
        }
    }
    assert!(audio > 0 && !words.is_empty(), "{audio} bytes, {words:?}");
    assert_eq!(app.voice().figures().sessions.count(), 1);
}
