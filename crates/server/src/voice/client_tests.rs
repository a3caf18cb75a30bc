//! A client that leaves, over a real socket.

use aileron_transports::websocket::PeerRole;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use super::*;

const STOP: &[u8] = br#"{"type":"stop"}"#;

async fn pair() -> (Client, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let theirs = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (ours, _) = listener.accept().await.unwrap();
    let ours = StallStream::new(ours, Duration::from_secs(30));
    (Client::new(WebSocket::new(ours, PeerRole::Server, Vec::new(), 1 << 16), 1 << 20), theirs)
}

/// A text as a client sends it, with a mask that changes nothing.
fn masked(text: &[u8]) -> Vec<u8> {
    [&[0x81, 0x80 | text.len() as u8, 0, 0, 0, 0], text].concat()
}

#[tokio::test]
async fn what_a_client_said_before_it_cut_the_connection_is_heard() {
    let (mut client, mut theirs) = pair().await;
    client.play(vec![0; 640]);
    poll_fn(|cx| client.poll_send(cx)).await.unwrap();
    theirs.readable().await.unwrap();
    theirs.write_all(&masked(STOP)).await.unwrap();
    // It leaves while audio lies unread, so that its system cuts the connection.
    drop(theirs);
    client.play(vec![0; 640]);
    assert_eq!(client.next().await, ClientReceived::Text);
    assert_eq!(client.payload(), STOP);
    assert_eq!(client.next().await, ClientReceived::Gone);
}
