//! Crowds that say nothing, and clients that say it a byte at a time.

use aileron_server::voice::VoiceSessionLimits;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::door::is_sent_away;
use super::provider::ready;
use super::stage::Stage;

const CROWD: usize = 2000;

/// Both ends of every socket are in this process, beside those of other tests.
fn raise_the_limit_of_files() {
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
}

#[tokio::test]
async fn thousands_of_sockets_that_say_nothing_do_not_keep_an_honest_client_out() {
    raise_the_limit_of_files();
    let stage = Stage::new().await;
    let places = VoiceSessionLimits::default().connections;
    let (mut sockets, mut streams) = (Vec::new(), Vec::new());
    // They take every place of voice but one, and the rest come without a word.
    for _ in 1..places {
        sockets.push(stage.client().await);
    }
    for _ in places..=CROWD {
        streams.push(TcpStream::connect(&stage.address).await.unwrap());
    }
    assert_eq!(
        (sockets.len() + streams.len(), stage.app.voice().connections()),
        (CROWD, places - 1)
    );
    let (mut client, mut peer, _) = ready(&stage).await;
    client.audio(640).await;
    assert!(peer.read().await["realtimeInput"]["audio"].is_object());
    peer.call("call-look-1", "look", json!({})).await;
    assert_eq!(peer.answer().await.0, "call-look-1");
    drop((sockets, streams, client));
    stage.app.voice().drained().await;
}

/// The bytes of a frame that a client sends: `first` has the kind, and whether more follow.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap();
    assert!(length < 126, "a longer frame has another head");
    let (head, mask) = ([first, 0x80 | length], [0; 4]);
    [&head[..], &mask, payload].concat()
}

const TEXT: u8 = 0x81;
const BINARY_TO_BE_CONTINUED: u8 = 0x02;
const CONTINUED_TO_BE_CONTINUED: u8 = 0x00;

#[tokio::test]
async fn a_start_that_comes_a_byte_at_a_time_is_not_waited_for() {
    let stage = Stage::new().await;
    let mut client = stage.client().await;
    let start = frame(TEXT, br#"{"type":"start"}"#);
    for byte in &start[..start.len() - 1] {
        client.0.get_mut().write_all(&[*byte]).await.unwrap();
    }
    is_sent_away(&stage, client).await;
}

/// A client that sends these, one before it is asked whether it is there and one after.
async fn is_given_up(pieces: [Vec<u8>; 2]) {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    for piece in pieces {
        client.0.get_mut().write_all(&piece).await.unwrap();
        stage.clock.advance(VoiceSessionLimits::default().ping_ms);
    }
    assert_eq!(peer.try_read().await, None);
    stage.app.voice().drained().await;
}

#[tokio::test]
async fn a_message_that_never_comes_to_its_end_is_no_sign_of_life() {
    let whole = frame(TEXT, br#"{"type":"text","text":"hi"}"#);
    is_given_up([whole[..9].to_vec(), whole[9..12].to_vec()]).await;
    let begun = frame(BINARY_TO_BE_CONTINUED, &[0, 0]);
    is_given_up([begun, frame(CONTINUED_TO_BE_CONTINUED, &[0, 0])]).await;
}
