//! The floor: a relay that does nothing but its sockets. Two reads, two writes and base64 for each
//! frame and its reply, on one thread, with neither turns nor limits nor room for a slow client.

use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{accept_async, client_async};

use super::clients::{HEAD, TAIL};
use super::echo::DATA;
use super::wire::{End, Kind, Wire};
use crate::print;

/// Relays until it is ended.
pub(crate) fn serve(provider: &str) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(|error| error.to_string())?;
        print(&listener.local_addr().map_err(|error| error.to_string())?.to_string());
        let provider = provider.trim_start_matches("ws://").to_owned();
        while let Ok((stream, _)) = listener.accept().await {
            let provider = provider.clone();
            tokio::spawn(async move { relay(stream, &provider).await });
        }
        Ok(())
    })
}

async fn relay(stream: TcpStream, provider: &str) -> Option<()> {
    let (mut client, mut upstream) = meet(stream, provider).await?;
    let (mut base64, mut pcm) = (Vec::new(), Vec::new());
    loop {
        tokio::select! {
            frame = client.next() => {
                base64.clear();
                base64_simd::STANDARD.encode_append(&*frame?, &mut base64);
                upstream.send(Kind::Text, &[HEAD, &base64, TAIL]).await.ok()?;
            }
            frame = upstream.next() => {
                pcm.clear();
                base64_simd::STANDARD.decode_append(audio(frame?)?, &mut pcm).ok()?;
                client.send(Kind::Binary, &[&pcm]).await.ok()?;
            }
        }
    }
}

/// The handshakes on both sides.
async fn meet(stream: TcpStream, provider: &str) -> Option<(Wire, Wire)> {
    stream.set_nodelay(true).ok()?;
    let mut client = accept_async(stream).await.ok()?;
    client.next().await?.ok()?;
    let stream = TcpStream::connect(provider).await.ok()?;
    stream.set_nodelay(true).ok()?;
    let (mut upstream, _) = client_async(format!("ws://{provider}/"), stream).await.ok()?;
    upstream.send(Message::text(r#"{"setup":{}}"#)).await.ok()?;
    upstream.next().await?.ok()?;
    client.send(Message::text(r#"{"type":"ready"}"#)).await.ok()?;
    Some((Wire::new(client, End::Server), Wire::new(upstream, End::Client)))
}

fn audio(frame: &[u8]) -> Option<&[u8]> {
    let from = frame.windows(DATA.len()).position(|window| window == DATA)? + DATA.len();
    let base64 = frame.get(from..)?;
    base64.split(|byte| *byte == b'"').next()
}
