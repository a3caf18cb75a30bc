//! A provider on this machine that says what the test tells it to say.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, accept_async};

use super::client::Client;
use super::stage::Stage;

const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Upstream {
    listener: TcpListener,
}

impl Upstream {
    pub(crate) async fn new() -> Self {
        Self { listener: TcpListener::bind("127.0.0.1:0").await.unwrap() }
    }

    pub(crate) fn base(&self) -> String {
        format!("ws://127.0.0.1:{}", self.listener.local_addr().unwrap().port())
    }

    /// The next connection, bare.
    pub(crate) async fn knock(&self) -> TcpStream {
        let accepted = tokio::time::timeout(PATIENCE, self.listener.accept());
        let (stream, _) = accepted.await.expect("a connection within 20 seconds").unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    /// The next connection.
    pub(crate) async fn accept(&self) -> Peer {
        Peer(accept_async(self.knock().await).await.unwrap())
    }

    /// The next connection, set up as Gemini Live does it; the setup besides.
    pub(crate) async fn gemini(&self) -> (Peer, Value) {
        let mut peer = self.accept().await;
        let setup = peer.read().await;
        peer.say(json!({ "setupComplete": {} })).await;
        (peer, setup)
    }

    /// The next connection, set up as OpenAI Realtime does it; the setup besides.
    pub(crate) async fn openai(&self) -> (Peer, Value) {
        let mut peer = self.accept().await;
        peer.say(json!({"type": "session.created", "session": {"id": "s"}})).await;
        let setup = peer.read().await;
        peer.say(json!({"type": "session.updated", "session": {}})).await;
        (peer, setup)
    }
}

/// The provider's end of a connection.
pub(crate) struct Peer(pub(crate) WebSocketStream<TcpStream>);

impl Peer {
    /// The next frame of ours; none once the connection is over.
    pub(crate) async fn try_read(&mut self) -> Option<Value> {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.0.next());
            match next.await.expect("a frame within 20 seconds")? {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(_) | Err(_) => return None,
            }
        }
    }

    pub(crate) async fn read(&mut self) -> Value {
        self.try_read().await.expect("a frame")
    }

    pub(crate) async fn say(&mut self, frame: Value) {
        self.0.send(Message::binary(frame.to_string().into_bytes())).await.unwrap();
    }

    /// Gemini: the model calls a tool.
    pub(crate) async fn call(&mut self, id: &str, tool: &str, args: Value) {
        let call = json!({ "id": id, "name": tool, "args": args });
        self.say(json!({ "toolCall": { "functionCalls": [call] } })).await;
    }

    /// Gemini: the person said something, and the model ends its turn.
    pub(crate) async fn heard(&mut self, text: &str) {
        let heard = json!({ "text": text, "finished": true });
        self.say(json!({ "serverContent": { "inputTranscription": heard } })).await;
    }

    pub(crate) async fn turn_complete(&mut self) {
        self.say(json!({ "serverContent": { "turnComplete": true } })).await;
    }

    /// Gemini: a tenth of a second of speech.
    pub(crate) async fn speak(&mut self) {
        let data = "AAAA".repeat(1600);
        let part = json!({"inlineData": {"mimeType": "audio/pcm;rate=24000", "data": data}});
        self.say(json!({ "serverContent": { "modelTurn": { "parts": [part] } } })).await;
    }

    /// Gemini: more words of the model.
    pub(crate) async fn words(&mut self, text: &str) {
        let said = json!({ "text": text });
        self.say(json!({ "serverContent": { "outputTranscription": said } })).await;
    }

    /// Gemini: all of the reply is there.
    pub(crate) async fn generated(&mut self) {
        self.say(json!({ "serverContent": { "generationComplete": true } })).await;
    }

    /// OpenAI: the person spoke, and the server begins to reply.
    pub(crate) async fn spoken_to(&mut self, text: &str, response: &str) {
        self.say(json!({"type": "input_audio_buffer.speech_started", "item_id": "i"})).await;
        self.say(json!({"type": "input_audio_buffer.speech_stopped", "item_id": "i"})).await;
        let kind = "conversation.item.input_audio_transcription.completed";
        self.say(json!({"type": kind, "item_id": "i", "transcript": text})).await;
        self.say(json!({"type": "response.created", "response": {"id": response}})).await;
    }

    /// OpenAI: a tenth of a second of speech.
    pub(crate) async fn sounds(&mut self, response: &str) {
        self.say(json!({
            "type": "response.output_audio.delta", "response_id": response, "item_id": "a",
            "output_index": 0, "content_index": 0, "delta": "AAAA".repeat(1600),
        }))
        .await;
    }

    /// OpenAI: a call is written to its end.
    pub(crate) async fn written_call(&mut self, call: &str, tool: &str) {
        let item = call_item(call, tool);
        self.say(json!({"type": "response.output_item.done", "item": item})).await;
    }

    /// OpenAI: a response is done, and has made these calls.
    pub(crate) async fn done(&mut self, response: &str, calls: &[(&str, &str)]) {
        let output: Vec<_> = calls.iter().map(|(call, tool)| call_item(call, tool)).collect();
        let done = json!({ "id": response, "status": "completed", "output": output });
        self.say(json!({ "type": "response.done", "response": done })).await;
    }

    /// OpenAI: a response failed.
    pub(crate) async fn failed(&mut self, response: &str, code: &str) {
        let error = json!({ "type": code, "code": code, "message": "org-secret" });
        let details = json!({ "type": "failed", "error": error });
        let done = json!({ "id": response, "status": "failed", "status_details": details });
        self.say(json!({ "type": "response.done", "response": done })).await;
    }

    /// Gemini: the next answer to a call: id and response.
    pub(crate) async fn answer(&mut self) -> (String, Value) {
        let frame = self.read().await;
        let response = &frame["toolResponse"]["functionResponses"][0];
        let id = response["id"].as_str().unwrap_or_else(|| panic!("an answer, found {frame}"));
        (id.to_owned(), response["response"].clone())
    }
}

fn call_item(call: &str, tool: &str) -> Value {
    json!({
        "id": format!("item-of-{call}"), "type": "function_call", "status": "completed",
        "call_id": call, "name": tool, "arguments": "{}",
    })
}

/// A client and its OpenAI, ready; and the conversation's id.
pub(crate) async fn openai_ready(stage: &Stage) -> (Client, Peer, String) {
    let mut client = stage.client().await;
    client.say(json!({ "type": "start", "provider": "openai" })).await;
    let (peer, _) = stage.upstream.openai().await;
    let ready = client.expect("ready").await;
    (client, peer, ready["conversationId"].as_str().unwrap().to_owned())
}

/// A client and its Gemini, ready; and the conversation's id.
pub(crate) async fn ready(stage: &Stage) -> (Client, Peer, String) {
    let mut client = stage.client().await;
    client.start().await;
    let (peer, _) = stage.upstream.gemini().await;
    let ready = client.expect("ready").await;
    (client, peer, ready["conversationId"].as_str().unwrap().to_owned())
}
