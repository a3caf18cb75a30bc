//! The door as any WebSocket client meets it: paths, keys, TLS, and the end.

use aileron_simulator::{Frames, Options, RunningSimulator, Tls};
use futures_util::{SinkExt, StreamExt};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::agent::simulator;

const GEMINI: &str = "ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent";

type Socket = tokio_tungstenite::WebSocketStream<TcpStream>;

async fn connect(running: &RunningSimulator, path: &str) -> Result<Socket, Error> {
    let stream = TcpStream::connect(running.address).await.unwrap();
    let request = format!("ws://{}{path}", running.address).into_client_request().unwrap();
    client_async(request, stream).await.map(|(socket, _)| socket)
}

fn status(refused: Result<Socket, Error>) -> u16 {
    match refused {
        Err(Error::Http(response)) => response.status().as_u16(),
        other => panic!("expected a refusal, found {other:?}"),
    }
}

fn setup() -> Message {
    Message::text(json!({ "setup": { "model": "models/m" } }).to_string())
}

#[tokio::test]
async fn who_has_no_key_or_no_protocol_stays_outside() {
    let running = simulator(Options::default()).await;
    assert_eq!(status(connect(&running, &format!("/{GEMINI}")).await), 403);
    assert_eq!(status(connect(&running, "/v1/realtime?model=m").await), 401);
    assert_eq!(status(connect(&running, "/v1/live/sessions").await), 401);
    assert!(connect(&running, &format!("//{GEMINI}?key=any")).await.is_ok());
}

#[tokio::test]
async fn gemini_frames_are_binary_unless_text_is_asked_for() {
    for (frames, binary) in [(Frames::Binary, true), (Frames::Text, false)] {
        let running = simulator(Options { frames, ..Options::default() }).await;
        let mut socket = connect(&running, &format!("/{GEMINI}?key=any")).await.unwrap();
        socket.send(setup()).await.unwrap();
        let answer = socket.next().await.unwrap().unwrap();
        assert_eq!(answer.is_binary(), binary, "{answer:?}");
        let answer: Value = serde_json::from_slice(&answer.into_data()).unwrap();
        assert!(answer["setupComplete"].is_object());
    }
}

#[tokio::test]
async fn what_is_refused_is_closed_with_a_code_and_a_reason() {
    let running = simulator(Options::default()).await;
    let mut socket = connect(&running, &format!("/{GEMINI}?key=any")).await.unwrap();
    socket.send(Message::text("{\"hello\": 1}")).await.unwrap();
    match socket.next().await.unwrap().unwrap() {
        Message::Close(Some(frame)) => {
            assert_eq!(u16::from(frame.code), 1007);
            assert!(frame.reason.contains("Unknown name \"hello\""), "{frame:?}");
        }
        other => panic!("expected a close frame, found {other:?}"),
    }
}

#[tokio::test]
async fn tls_is_trusted_by_the_certificate_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let tls = Tls { address: ([127, 0, 0, 1], 0).into(), folder: folder.path().to_owned() };
    let running = simulator(Options { tls: Some(tls), ..Options::default() }).await;
    let mut roots = RootCertStore::empty();
    let ca = running.ca.clone().unwrap();
    roots.add(CertificateDer::from_pem_file(&ca).unwrap()).unwrap();
    let ring = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(ring).with_safe_default_protocol_versions();
    let config = config.unwrap().with_root_certificates(roots).with_no_client_auth();
    for name in ["localhost", "127.0.0.1"] {
        let stream = TcpStream::connect(running.tls_address.unwrap()).await.unwrap();
        let connector = TlsConnector::from(Arc::new(config.clone()));
        let stream = connector.connect(name.try_into().unwrap(), stream).await.unwrap();
        let request = format!("wss://{name}/{GEMINI}?key=any").into_client_request().unwrap();
        let (mut socket, _) = client_async(request, stream).await.unwrap();
        socket.send(setup()).await.unwrap();
        assert!(socket.next().await.unwrap().unwrap().is_binary());
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no key is written");
}

#[tokio::test]
async fn a_simulator_that_ends_tells_its_clients() {
    let running = simulator(Options::default()).await;
    let mut socket = connect(&running, &format!("/{GEMINI}?key=any")).await.unwrap();
    running.control.connected(1).await;
    let address = running.address;
    let (closed, ()) = tokio::join!(socket.next(), running.shutdown());
    assert!(
        matches!(closed, Some(Ok(Message::Close(Some(frame)))) if u16::from(frame.code) == 1001)
    );
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn a_close_frame_is_answered_with_its_code() {
    let running = simulator(Options::default()).await;
    for path in [format!("/{GEMINI}?key=any"), "/v1/realtime?model=m".to_owned()] {
        for code in [1000, 1001, 4000] {
            let request = format!("ws://{}{path}", running.address);
            let mut request = request.into_client_request().unwrap();
            request.headers_mut().insert("authorization", "Bearer any".parse().unwrap());
            let stream = TcpStream::connect(running.address).await.unwrap();
            let (mut socket, _) = client_async(request, stream).await.unwrap();
            socket.send(setup()).await.unwrap();
            let frame = CloseFrame { code: code.into(), reason: "done".into() };
            socket.send(Message::Close(Some(frame))).await.unwrap();
            let answer = loop {
                match socket.next().await {
                    Some(Ok(Message::Close(frame))) => break frame,
                    Some(Ok(_)) => {}
                    other => panic!("{path} {code}: expected a close frame, found {other:?}"),
                }
            };
            assert_eq!(answer.map(|frame| u16::from(frame.code)), Some(code), "{path}");
        }
    }
}
