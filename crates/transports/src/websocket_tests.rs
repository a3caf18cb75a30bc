//! Against another implementation, whole and in pieces, and against bytes that no honest end sends.

use std::future::poll_fn;
use std::io;

use futures_util::{FutureExt, SinkExt, StreamExt};
use proptest::prelude::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadBuf, duplex};
use tokio_tungstenite::WebSocketStream;
use tungstenite::Message;
use tungstenite::protocol::Role as TheirRole;
use tungstenite::protocol::frame::Frame as PeerFrame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

use super::*;

const MOST: usize = 1 << 20;

type Peer = WebSocketStream<DuplexStream>;

/// Both ends of a connection that passes so many bytes at a time.
async fn pair(role: PeerRole, passes: usize) -> (WebSocket<DuplexStream>, Peer) {
    let (ours, theirs) = duplex(passes);
    let peer = match role {
        PeerRole::Client => TheirRole::Server,
        PeerRole::Server => TheirRole::Client,
    };
    let socket = WebSocket::new(ours, role, Vec::new(), MOST);
    (socket, WebSocketStream::from_raw_socket(theirs, peer, None).await)
}

/// A server's end that was sent these bytes and nothing after them.
fn given(bytes: &[u8]) -> WebSocket<DuplexStream> {
    let (ours, _) = duplex(1 << 16);
    WebSocket::new(ours, PeerRole::Server, bytes.to_vec(), MOST)
}

async fn next<S>(socket: &mut WebSocket<S>) -> Option<Result<WebSocketReceived, Error>>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    poll_fn(|cx| socket.poll_next(cx)).await
}

async fn send(socket: &mut WebSocket<DuplexStream>, message: Outgoing<'_>) {
    socket.send(message);
    poll_fn(|cx| socket.poll_flush(cx)).await.unwrap();
}

/// The next message as the other implementation would tell it.
async fn message(socket: &mut WebSocket<DuplexStream>) -> Message {
    loop {
        match next(socket).await.unwrap().unwrap() {
            WebSocketReceived::Text => {
                return Message::text(str::from_utf8(socket.payload()).unwrap());
            }
            WebSocketReceived::Binary => return Message::binary(socket.payload().to_vec()),
            WebSocketReceived::Pulse => {}
            WebSocketReceived::Close(farewell) => panic!("{farewell:?}"),
        }
    }
}

fn frame(opcode: OpCode, is_final: bool, payload: &[u8]) -> Message {
    Message::Frame(PeerFrame::message(payload.to_vec(), opcode, is_final))
}

/// Messages around the lengths at which a frame's head changes.
fn messages() -> impl Strategy<Value = Vec<Message>> {
    let length = prop_oneof![0..300_usize, 124..128_usize, 65_530..65_540_usize, Just(200_000)];
    let one =
        (length, any::<bool>(), any::<u8>()).prop_map(|(length, is_text, seed)| match is_text {
            true => Message::text("né".repeat(length / 3)),
            false => Message::binary((0..length).map(|n| n as u8 ^ seed).collect::<Vec<_>>()),
        });
    prop::collection::vec(one, 1..6)
}

fn outgoing(message: &Message) -> Outgoing<'_> {
    match message {
        Message::Text(text) => Outgoing::Text(text),
        Message::Binary(bytes) => Outgoing::Binary(bytes),
        _ => Outgoing::Ping,
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn messages_arrive_as_they_were_sent(
        messages in messages(),
        passes in prop_oneof![1..20_usize, Just(1000), Just(1 << 16)],
        role in prop_oneof![Just(PeerRole::Client), Just(PeerRole::Server)],
    ) {
        block_on(async {
            let (mut socket, mut peer) = pair(role, passes).await;
            for sent in &messages {
                let (received, ()) = tokio::join!(
                    async { peer.next().await.unwrap().unwrap() },
                    send(&mut socket, outgoing(sent)),
                );
                assert_eq!(&received, sent);
                let (received, sent_back) =
                    tokio::join!(message(&mut socket), peer.send(sent.clone()));
                sent_back.unwrap();
                assert_eq!(&received, sent);
            }
        });
    }

    #[test]
    fn no_bytes_make_it_panic_or_wait_for_more_than_there_is(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        role in prop_oneof![Just(PeerRole::Client), Just(PeerRole::Server)],
    ) {
        block_on(async {
            let (ours, _) = duplex(1 << 16);
            let mut socket = WebSocket::new(ours, role, bytes, MOST);
            while let Some(Ok(_)) = next(&mut socket).await {
                assert!(socket.payload().len() < 200);
            }
        });
    }
}

#[tokio::test]
async fn pieces_are_one_message_whatever_comes_between_them() {
    let (mut socket, mut peer) = pair(PeerRole::Server, 1 << 16).await;
    peer.send(frame(OpCode::Data(Data::Text), false, b"n\xc3")).await.unwrap();
    peer.send(Message::Ping("are you there".into())).await.unwrap();
    peer.send(frame(OpCode::Data(Data::Continue), true, b"\xa9")).await.unwrap();
    peer.send(Message::binary(vec![1])).await.unwrap();
    assert_eq!(next(&mut socket).await.unwrap().unwrap(), WebSocketReceived::Pulse);
    assert_eq!(message(&mut socket).await, Message::text("né"));
    assert_eq!(message(&mut socket).await, Message::binary(vec![1]));
    assert_eq!(peer.next().await.unwrap().unwrap(), Message::Pong("are you there".into()));
}

#[tokio::test]
async fn a_goodbye_is_answered_and_nothing_comes_after_it() {
    let (mut socket, mut peer) = pair(PeerRole::Client, 1 << 16).await;
    let close = tungstenite::protocol::CloseFrame { code: 1008.into(), reason: "enough".into() };
    peer.close(Some(close)).await.unwrap();
    let farewell = CloseCause { code: 1008, reason: "enough".into() };
    assert_eq!(next(&mut socket).await.unwrap().unwrap(), WebSocketReceived::Close(Some(farewell)));
    assert!(next(&mut socket).await.is_none());
    send(&mut socket, Outgoing::Text("one more thing")).await;
    assert!(matches!(peer.next().await, Some(Ok(Message::Close(Some(_))))));
    assert!(peer.next().await.is_none());
}

#[tokio::test]
async fn a_goodbye_is_answered_although_much_waits_to_be_sent() {
    let (mut socket, mut peer) = pair(PeerRole::Server, 64).await;
    socket.send(Outgoing::Binary(&[7; 2 * BUFFER]));
    assert!(poll_fn(|cx| socket.poll_flush(cx)).now_or_never().is_none());
    peer.send(Message::Close(None)).await.unwrap();
    assert_eq!(next(&mut socket).await.unwrap().unwrap(), WebSocketReceived::Close(None));
    let answered =
        async { [peer.next().await.unwrap().unwrap(), peer.next().await.unwrap().unwrap()] };
    let (sent, answered) = tokio::join!(poll_fn(|cx| socket.poll_flush(cx)), answered);
    sent.unwrap();
    assert_eq!(answered, [Message::binary(vec![7; 2 * BUFFER]), Message::Close(None)]);
}

#[tokio::test]
async fn nothing_is_sent_after_our_own_goodbye() {
    let (mut socket, mut peer) = pair(PeerRole::Server, 1 << 16).await;
    let long = "ü".repeat(100);
    socket.send(Outgoing::Close(Some((1000, &long))));
    send(&mut socket, Outgoing::Binary(&[1])).await;
    let Some(Ok(Message::Close(Some(close)))) = peer.next().await else { panic!("no goodbye") };
    assert_eq!((u16::from(close.code), close.reason.as_str()), (1000, &*"ü".repeat(61)));
    peer.flush().await.unwrap();
    assert_eq!(
        next(&mut socket).await.unwrap().unwrap(),
        WebSocketReceived::Close(Some(CloseCause { code: 1000, reason: "ü".repeat(61) })),
    );
}

#[tokio::test]
async fn who_asks_for_life_and_never_listens_is_not_answered_for_ever() {
    let (mut socket, mut peer) = pair(PeerRole::Server, 256).await;
    for _ in 0..2000 {
        let ping = Message::Ping(vec![7; 100].into());
        let (sent, received) = tokio::join!(peer.send(ping), next(&mut socket));
        sent.unwrap();
        assert_eq!(received.unwrap().unwrap(), WebSocketReceived::Pulse);
    }
    assert!(socket.output.capacity() < 4 * BUFFER, "{}", socket.output.capacity());
}

/// A stream that takes nothing, for this reason.
struct Deaf(io::ErrorKind);

impl AsyncRead for Deaf {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        _: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Poll::Pending
    }
}

impl AsyncWrite for Deaf {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(self.0.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn who_takes_no_answers_is_given_up_and_who_has_left_is_read_to_the_end() {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, TimedOut};
    for (kind, is_read) in [(TimedOut, false), (ConnectionReset, true), (BrokenPipe, true)] {
        let came = masked(0x89, b"there?");
        let mut socket = WebSocket::new(Deaf(kind), PeerRole::Server, came, MOST);
        assert_eq!(next(&mut socket).await.unwrap().is_ok(), is_read, "{kind:?}");
    }
}

#[tokio::test]
async fn for_who_is_always_a_little_behind_not_all_is_kept_that_was_sent() {
    let (ours, mut theirs) = duplex(BUFFER / 2);
    let mut socket = WebSocket::new(ours, PeerRole::Server, Vec::new(), MOST);
    let mut taken = [0; BUFFER / 2];
    for _ in 0..200 {
        while !socket.is_full() {
            socket.send(Outgoing::Binary(&[7; 640]));
        }
        tokio::select! {
            biased;
            _ = poll_fn(|cx| socket.poll_flush(cx)) => panic!("more is sent than is taken"),
            read = theirs.read_exact(&mut taken) => assert_eq!(read.unwrap(), BUFFER / 2),
        }
    }
    assert!(socket.output.capacity() < 8 * BUFFER, "{}", socket.output.capacity());
}

#[tokio::test]
async fn who_has_nothing_to_say_has_no_buffers() {
    let (mut socket, mut peer) = pair(PeerRole::Server, 1 << 16).await;
    let large = Message::binary(vec![1; MOST]);
    let (received, sent) = tokio::join!(message(&mut socket), peer.send(large.clone()));
    sent.unwrap();
    assert_eq!(received, large);
    let (sent, received) =
        tokio::join!(send(&mut socket, Outgoing::Binary(&[2; MOST])), peer.next());
    assert_eq!((sent, received.unwrap().unwrap().len()), ((), MOST));
    assert!(next(&mut socket).now_or_never().is_none());
    assert_eq!((socket.output.capacity(), socket.inbox.read.capacity()), (0, 0));
}

/// A frame as a client sends it, with a mask that changes nothing.
fn masked(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first, 0x80 | payload.len() as u8, 0, 0, 0, 0];
    bytes.extend_from_slice(payload);
    bytes
}

#[tokio::test]
async fn what_breaks_the_protocol_is_refused() {
    let cases = [
        (masked(0xc1, b"a"), "an extension that was not agreed on"),
        (masked(0x83, b"a"), "a kind that is not known"),
        (masked(0x8b, b"a"), "a kind that is not known"),
        (vec![0x81, 1, b'a'], "a mask where there must be none"),
        (masked(0x80, b"a"), "the rest of no message"),
        ([masked(0x01, b"a"), masked(0x81, b"b")].concat(), "a message within a message"),
        (masked(0x09, b"a"), "a control frame that is long or in pieces"),
        (vec![0x89, 0xfe, 0, 126, 0, 0, 0, 0], "a control frame that is long or in pieces"),
        (masked(0x88, b"\x03"), "a goodbye that cannot be read"),
        (masked(0x88, b"\x03\xed"), "a goodbye that cannot be read"),
        (masked(0x88, b"\x03\xe8\xff"), "a goodbye that cannot be read"),
        (masked(0x81, b"\xff"), "expected a text in UTF-8"),
        ([masked(0x01, b"\xc3"), masked(0x80, b"a")].concat(), "expected a text in UTF-8"),
        (vec![0x82, 0xff, 0, 0, 0, 0, 0, 16, 0, 1, 0, 0, 0, 0], "at most 1048576 bytes"),
        (vec![0x82, 0xff, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0], "at most 1048576"),
        (vec![0x82, 0x85, 0, 0, 0, 0, 1], "in the middle of a message"),
        (masked(0x02, b"a"), "in the middle of a message"),
    ];
    for (bytes, expected) in cases {
        let error = next(&mut given(&bytes)).await.unwrap().unwrap_err().to_string();
        assert!(error.contains(expected), "{bytes:x?}: {error}");
    }
    assert!(next(&mut given(&[])).await.is_none());
    let (ours, _) = duplex(1);
    let mut client = WebSocket::new(ours, PeerRole::Client, masked(0x81, b"a"), MOST);
    let error = next(&mut client).await.unwrap().unwrap_err().to_string();
    assert!(error.contains("a mask where there must be none"), "{error}");
}

#[tokio::test]
async fn pieces_may_not_be_more_together_than_one_message() {
    let piece = vec![0; 100];
    let mut bytes = masked(0x02, &piece);
    (0..3).for_each(|_| bytes.extend(masked(0x00, &piece)));
    let mut socket = WebSocket::new(duplex(1).0, PeerRole::Server, bytes, 350);
    let error = next(&mut socket).await.unwrap().unwrap_err();
    assert!(matches!(error, Error::TooBig { most: 350 }), "{error}");
}

#[tokio::test]
async fn a_message_may_not_come_in_pieces_without_end() {
    let mut bytes = masked(0x02, b"");
    (0..2000).for_each(|_| bytes.extend(masked(0x00, b"")));
    let mut socket = WebSocket::new(duplex(1).0, PeerRole::Server, bytes.clone(), 350);
    let error = next(&mut socket).await.unwrap().unwrap_err();
    assert!(matches!(error, Error::TooBig { most: 350 }), "{error}");
    // Two that are half of that are two.
    let half = [masked(0x02, b""), masked(0x00, b"").repeat(1000), masked(0x80, b"")].concat();
    let mut socket = WebSocket::new(duplex(1).0, PeerRole::Server, half.repeat(2), 350);
    for _ in 0..2 {
        assert_eq!(next(&mut socket).await.unwrap().unwrap(), WebSocketReceived::Binary);
    }
}

/// The result of a handshake with this answer, in which `{accept}` stands for the right key.
async fn shake(answer: &str) -> Result<WebSocket<DuplexStream>, Error> {
    use tungstenite::client::IntoClientRequest;
    use tungstenite::handshake::derive_accept_key;

    let (ours, mut theirs) = duplex(1 << 16);
    let request = "ws://127.0.0.1/live".into_client_request().unwrap();
    let key = request.headers()["sec-websocket-key"].to_str().unwrap().to_owned();
    let answer = answer.replace("{accept}", &derive_accept_key(key.as_bytes()));
    let (made, ()) = tokio::join!(connect(ours, request, MOST), async {
        let mut asked = Vec::new();
        while !asked.ends_with(b"\r\n\r\n") {
            theirs.read_buf(&mut asked).await.unwrap();
        }
        assert!(asked.starts_with(b"GET /live HTTP/1.1\r\n"));
        theirs.write_all(answer.as_bytes()).await.unwrap();
        drop(theirs);
    });
    made
}

const AGREED: &str = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\n\
                      Connection: keep-alive, Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n";

#[tokio::test]
async fn what_comes_right_behind_the_handshake_is_not_lost() {
    let mut socket = shake(&format!("{AGREED}\x01\u{2}he")).await.unwrap();
    let error = next(&mut socket).await.unwrap().unwrap_err();
    assert!(matches!(error, Error::Ended), "the pieces so far are known: {error}");
    assert_eq!(socket.payload(), b"");
}

#[tokio::test]
async fn an_answer_may_list_its_connection_in_several_lines() {
    let answer = AGREED.replace("keep-alive, Upgrade", "keep-alive\r\nConnection: Upgrade");
    shake(&answer).await.unwrap();
}

#[tokio::test]
async fn a_handshake_that_is_not_agreed_to_is_told() {
    let refused = shake("HTTP/1.1 401 Unauthorized\r\n\r\nno such key").await.unwrap_err();
    let Error::Refused { status: 401, body } = refused else { panic!("{refused}") };
    assert_eq!(body, b"no such key");
    let stranger = AGREED.replace("{accept}", "c29tZWJvZHkgZWxzZQ==");
    let extended =
        AGREED.replace("Upgrade:", "Sec-WebSocket-Extensions: permessage-deflate\r\nUpgrade:");
    let plain = AGREED.replace("WebSocket\r\n", "h2c\r\n");
    for (answer, expected) in [
        (&*stranger, "agrees to no WebSocket, or to another one"),
        (&extended, "agrees to no WebSocket, or to another one"),
        (&plain, "agrees to no WebSocket, or to another one"),
        ("HTTP/1.1 101", "not one of HTTP"),
        ("SSH-2.0-OpenSSH_9.2\r\n\r\n", "not one of HTTP"),
        (&format!("HTTP/1.1 101 Fine\r\nX: {}", "x".repeat(20_000)), "not one of HTTP"),
    ] {
        let error = shake(answer).await.unwrap_err().to_string();
        assert!(error.contains(expected), "{answer}: {error}");
    }
}
