//! Drops, departures and refusals, and what becomes of calls and results.

use aileron_contract::Backoff;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::envelope::{Meta, RESPONSE_SCHEMA_VERSION};
use aileron_contract::transport::{
    CallResult, Command, CommandError, ProviderEvent, Severity, TurnEnd,
};
use aileron_contract::{CallId, ToolResponse};
use aileron_transports::session::{ConnectionNotice, SessionState};
use aileron_transports::upstream::{Output, Upstream, UpstreamConfig, UpstreamTimeouts};
use aileron_transports::{GeminiLive, OpenaiRealtime, openai_realtime};
use futures_util::{FutureExt, SinkExt};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

use crate::provider::{Provider, begin, event, next, no_roots, world};

const CALL: &str =
    r#"{"toolCall":{"functionCalls":[{"id":"fc-1","name":"get_weather","args":{}}]}}"#;
const READY: ProviderEvent = ProviderEvent::Ready { session: None };

fn sunny(call: &str) -> CallResult {
    let call_id = CallId::new(call).unwrap();
    let meta = Meta {
        tool_id: "get_weather".into(),
        tool_version: None,
        registry_version: "1.0.0".into(),
        response_schema_version: RESPONSE_SCHEMA_VERSION.into(),
        call_id: call_id.clone(),
        duration: 1,
        attempts: 1,
        replayed: false,
        clamped: Vec::new(),
        over_budget: false,
        truncated: false,
        warnings: Vec::new(),
        task: None,
    };
    let data = json!({ "temp": 21 });
    let response = Arc::new(ToolResponse::Success { data, intents: Vec::new(), meta });
    CallResult { call_id, response }
}

#[tokio::test]
async fn a_call_is_answered_over_the_connection_that_made_it() {
    let provider = Provider::new().await;
    let mut upstream = begin(&provider);
    let (mut peer, ready) = tokio::join!(
        async {
            let mut peer = provider.accept().await;
            assert_eq!(peer.set_up().await["setup"]["model"], "models/m");
            peer.say(CALL).await;
            peer
        },
        event(&mut upstream)
    );
    assert_eq!(ready, READY);
    assert!(matches!(event(&mut upstream).await, ProviderEvent::ToolCalls(_)));
    upstream.command(Command::Results(&[sunny("fc-1")])).unwrap();
    upstream.command(Command::Audio(&[0, 0])).unwrap();
    let sent = tokio::select! { sent = peer.read() => sent, _ = upstream.next() => unreachable!() };
    assert_eq!(sent["toolResponse"]["functionResponses"][0]["id"], "fc-1");
    let audio =
        tokio::select! { sent = peer.read() => sent, _ = upstream.next() => unreachable!() };
    assert_eq!(audio["realtimeInput"]["audio"]["data"], "AAA=");
}

#[tokio::test]
async fn a_result_that_became_ready_after_a_drop_is_told_over_the_next_connection() {
    let provider = Provider::new().await;
    let mut upstream = begin(&provider);
    let first = async {
        let mut peer = provider.accept().await;
        peer.set_up().await;
        peer.say(r#"{"sessionResumptionUpdate":{"newHandle":"h1","resumable":true}}"#).await;
        peer.say(CALL).await;
    };
    let (_, ready) = tokio::join!(first, event(&mut upstream));
    assert_eq!(ready, READY);
    assert_eq!(event(&mut upstream).await, ProviderEvent::Resumption { handle: Some("h1".into()) });
    assert!(matches!(event(&mut upstream).await, ProviderEvent::ToolCalls(_)));
    assert!(
        matches!(event(&mut upstream).await, ProviderEvent::Closed(fault) if fault.severity == Severity::Retry)
    );
    let interrupted = ConnectionNotice::Interrupted { attempt: 1, delay: Duration::ZERO };
    assert_eq!(next(&mut upstream).await, Output::Notice(interrupted));

    upstream.command(Command::Results(&[sunny("fc-1")])).unwrap();
    upstream.command(Command::Audio(&[0, 0])).unwrap();
    assert_eq!(upstream.command(Command::AudioEnd), Err(CommandError::NotReady));
    let second = async {
        let mut peer = provider.accept().await;
        let setup = peer.set_up().await;
        (peer, setup)
    };
    let ((mut peer, setup), ready) = tokio::join!(second, event(&mut upstream));
    assert_eq!((ready, &setup["setup"]["sessionResumption"]["handle"]), (READY, &json!("h1")));
    assert_eq!(next(&mut upstream).await, Output::Notice(ConnectionNotice::Restored));
    let sent = tokio::select! { sent = peer.read() => sent, _ = upstream.next() => unreachable!() };
    let text = sent["clientContent"]["turns"][0]["parts"][0]["text"].as_str().unwrap();
    assert!(text.contains("fc-1") && text.contains(r#""temp":21"#), "{text}");
    assert_eq!(upstream.dropped_audio(), 1);
}

#[tokio::test]
async fn a_provider_that_announces_its_end_is_left_before_it() {
    let provider = Provider::new().await;
    let mut upstream = begin(&provider);
    let twice = async {
        let mut first = provider.accept().await;
        first.set_up().await;
        first.say(r#"{"goAway":{"timeLeft":"60s"}}"#).await;
        provider.accept().await.set_up().await;
    };
    let outputs = async {
        let mut outputs = Vec::new();
        for _ in 0..4 {
            outputs.push(next(&mut upstream).await);
        }
        outputs
    };
    let (_, outputs) = tokio::join!(twice, outputs);
    let left = ProviderEvent::GoingAway { time_left: Some(Duration::from_secs(60)) };
    let expected = [
        Output::Event(READY),
        Output::Event(left),
        Output::Event(READY),
        Output::Notice(ConnectionNotice::Restored),
    ];
    assert_eq!(outputs, expected);
}

#[tokio::test]
async fn a_key_that_is_refused_ends_it_at_once() {
    let provider = Provider::new().await;
    let mut upstream = begin(&provider);
    let refusal = async {
        let mut tcp = provider.tcp().await;
        let mut request = [0; 2048];
        let read = tcp.read(&mut request).await.unwrap();
        assert!(
            request[..read].windows(14).any(|part| part.eq_ignore_ascii_case(b"x-goog-api-key"))
        );
        tcp.write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 7\r\n\r\nbad key").await.unwrap();
        tcp
    };
    let (_tcp, closed) = tokio::join!(refusal, event(&mut upstream));
    let ProviderEvent::Closed(fault) = closed else { panic!("{closed:?}") };
    assert_eq!(
        (fault.severity, fault.code.as_str(), fault.message.as_str()),
        (Severity::Fatal, "http 403", "bad key")
    );
    assert!(matches!(next(&mut upstream).await, Output::Notice(ConnectionNotice::Lost(_))));
    assert_eq!((upstream.next().await, upstream.state()), (None, SessionState::Closed));
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_given_up() {
    let provider = Provider::new().await;
    let base = provider.base("ws");
    drop(provider);
    let mut world = world(&base, no_roots());
    world.reconnect.backoff = Backoff::NONE;
    let setup = aileron_contract::transport::Setup::new("m", "");
    let mut upstream = Upstream::begin(world, setup, GeminiLive::default);
    let mut notices = Vec::new();
    while let Some(output) = upstream.next().await {
        notices.extend(match output {
            Output::Notice(notice) => Some(notice),
            _ => None,
        });
    }
    assert!(matches!(
        &notices[..],
        [
            ConnectionNotice::Interrupted { .. },
            ConnectionNotice::Interrupted { .. },
            ConnectionNotice::Interrupted { .. },
            ConnectionNotice::Lost(_)
        ]
    ));
}

#[tokio::test]
async fn a_provider_that_never_takes_the_setup_is_left() {
    let provider = Provider::new().await;
    let mut world = world(&provider.base("ws"), no_roots());
    world.limits =
        UpstreamTimeouts { setup: Duration::from_secs(1), ..UpstreamTimeouts::default() };
    let setup = aileron_contract::transport::Setup::new("m", "");
    let mut upstream = Upstream::begin(world, setup, GeminiLive::default);
    let (_peer, closed) = tokio::join!(provider.accept(), event(&mut upstream));
    assert!(
        matches!(closed, ProviderEvent::Closed(fault) if fault.message.contains("no sign of life"))
    );
}

#[tokio::test]
async fn a_provider_that_falls_silent_is_asked_and_then_taken_for_dead() {
    let provider = Provider::new().await;
    let mut world = world(&provider.base("ws"), no_roots());
    world.limits =
        UpstreamTimeouts { silence: Duration::from_millis(100), ..UpstreamTimeouts::default() };
    let setup = aileron_contract::transport::Setup::new("m", "");
    let mut upstream = Upstream::begin(world, setup, GeminiLive::default);
    let peer = async {
        let mut peer = provider.accept().await;
        peer.set_up().await;
        peer
    };
    let (mut peer, ready) = tokio::join!(peer, event(&mut upstream));
    assert_eq!(ready, READY);
    let closed = event(&mut upstream).await;
    assert!(
        matches!(closed, ProviderEvent::Closed(fault) if fault.message.contains("no sign of life"))
    );
    let asked = futures_util::StreamExt::next(&mut peer.0).await.unwrap().unwrap();
    assert!(asked.is_ping(), "{asked:?}");
}

#[tokio::test]
async fn a_close_code_and_a_bad_frame_are_told() {
    let provider = Provider::new().await;
    let mut upstream = begin(&provider);
    let peer = async {
        let mut peer = provider.accept().await;
        peer.set_up().await;
        peer.say("{").await;
        peer.close(1011, "Deadline expired").await;
    };
    let outputs =
        async { [next(&mut upstream).await, next(&mut upstream).await, next(&mut upstream).await] };
    let (_, outputs) = tokio::join!(peer, outputs);
    assert!(matches!(&outputs[1], Output::Malformed(error) if error.expected.contains("Gemini")));
    let Output::Event(ProviderEvent::Closed(fault)) = &outputs[2] else { panic!("{outputs:?}") };
    assert_eq!((fault.code.as_str(), fault.message.as_str()), ("close 1011", "Deadline expired"));
}

#[tokio::test]
async fn what_a_provider_said_before_it_cut_the_connection_is_told() {
    let provider = Provider::new().await;
    let mut upstream = begin(&provider);
    let set_up = async {
        let mut peer = provider.accept().await;
        peer.set_up().await;
        peer
    };
    let (mut peer, ready) = tokio::join!(set_up, event(&mut upstream));
    assert_eq!(ready, READY);
    upstream.command(Command::Audio(&[0; 640])).unwrap();
    assert!(upstream.next().now_or_never().is_none());
    peer.0.get_ref().set_nodelay(true).unwrap();
    peer.0.get_ref().readable().await.unwrap();
    // It leaves while audio lies unread, so that its system cuts the connection behind its last words.
    peer.say(CALL).await;
    let close = CloseFrame { code: 1008.into(), reason: "the key was taken back".into() };
    peer.0.send(Message::Close(Some(close))).await.unwrap();
    drop(peer);
    upstream.command(Command::Audio(&[0; 640])).unwrap();
    let called = event(&mut upstream).await;
    assert!(matches!(called, ProviderEvent::ToolCalls(_)), "{called:?}");
    let ProviderEvent::Closed(fault) = event(&mut upstream).await else { panic!("a close") };
    assert_eq!(fault.code, "close 1008", "{fault:?}");
}

#[tokio::test]
async fn the_end_is_a_close_in_good_order() {
    let provider = Provider::new().await;
    let target = openai_realtime::target(Some(&provider.base("http")), "m", "k").unwrap();
    let world = UpstreamConfig { target, ..world("ws://unused", no_roots()) };
    let setup = aileron_contract::transport::Setup::new("m", "");
    let mut upstream = Upstream::begin(world, setup, OpenaiRealtime::default);
    let peer = async {
        let mut peer = provider.accept().await;
        assert_eq!(peer.read().await["type"], "session.update");
        peer.say(r#"{"type":"session.updated"}"#).await;
        peer
    };
    let (mut peer, ready) = tokio::join!(peer, event(&mut upstream));
    assert_eq!(ready, READY);
    upstream.command(Command::Text("bye")).unwrap();
    upstream.command(Command::End).unwrap();
    assert_eq!(next(&mut upstream).await, Output::Notice(ConnectionNotice::Ended));
    assert_eq!(upstream.next().await, None);
    let types = [peer.read().await["type"].clone(), peer.read().await["type"].clone()];
    assert_eq!(types, ["conversation.item.create", "response.create"]);
    let last = futures_util::StreamExt::next(&mut peer.0).await.unwrap().unwrap();
    assert!(last.is_close(), "{last:?}");
}

#[tokio::test]
async fn a_reply_that_a_living_provider_never_gives_is_given_up() {
    never_replies(Duration::ZERO).await;
}

#[tokio::test]
async fn a_reply_is_given_up_also_after_a_long_silence() {
    never_replies(3 * SILENCE).await;
}

const SILENCE: Duration = Duration::from_secs(1);

/// A provider that lives and says nothing, written to after so much silence.
async fn never_replies(idle: Duration) {
    let provider = Provider::new().await;
    let target = openai_realtime::target(Some(&provider.base("http")), "m", "k").unwrap();
    let mut world = UpstreamConfig { target, ..world("ws://unused", no_roots()) };
    world.limits = UpstreamTimeouts { silence: SILENCE, ..UpstreamTimeouts::default() };
    let setup = aileron_contract::transport::Setup::new("m", "");
    let mut upstream = Upstream::begin(world, setup, OpenaiRealtime::default);
    let peer = async {
        let mut peer = provider.accept().await;
        peer.read().await;
        peer.say(r#"{"type":"session.updated"}"#).await;
        peer
    };
    let (mut peer, ready) = tokio::join!(peer, event(&mut upstream));
    assert_eq!(ready, READY);
    let alive = async {
        loop {
            peer.read().await;
        }
    };
    let given_up = async {
        let nothing = tokio::time::timeout(idle, upstream.next()).await;
        assert!(nothing.is_err(), "{nothing:?}");
        upstream.command(Command::Text("hi")).unwrap();
        let fault = event(&mut upstream).await;
        assert!(matches!(fault, ProviderEvent::Fault(fault) if fault.code == "overdue"));
        event(&mut upstream).await
    };
    let end = tokio::select! { end = given_up => end, () = alive => unreachable!() };
    assert_eq!(end, ProviderEvent::TurnComplete(TurnEnd::Stopped("overdue".into())));
}
