//! How long a client is heard out. Time is the test's.

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::time::Instant;

use super::*;

/// Our side of a connection on which part of a request was read, and the client's.
async fn interrupted(buffer: usize) -> (LingerStream<DuplexStream>, DuplexStream) {
    let (near, mut far) = duplex(buffer);
    let mut near = LingerStream::new(near, UnreadRequest::default());
    far.write_all(b"POST").await.unwrap();
    near.read_exact(&mut [0; 4]).await.unwrap();
    (near, far)
}

#[tokio::test(start_paused = true)]
async fn a_client_that_still_sends_is_heard_out_and_reads_its_answer() {
    let (mut near, mut far) = interrupted(1024).await;
    let client = tokio::spawn(async move {
        far.write_all(&[0; 1 << 20]).await.unwrap();
        far.shutdown().await.unwrap();
        let mut answer = Vec::new();
        far.read_to_end(&mut answer).await.unwrap();
        answer
    });
    near.write_all(b"413").await.unwrap();
    near.shutdown().await.unwrap();
    drop(near);
    assert_eq!(client.await.unwrap(), b"413");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_stays_is_left() {
    let (mut near, _far) = interrupted(1024).await;
    let before = Instant::now();
    near.shutdown().await.unwrap();
    assert_eq!(before.elapsed().as_secs(), MAX_TIME.as_secs());
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_ends_is_left() {
    let (mut near, mut far) = interrupted(1 << 20).await;
    let sending = tokio::spawn(async move { while far.write_all(&[0; 1 << 16]).await.is_ok() {} });
    near.shutdown().await.unwrap();
    drop(near);
    sending.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_a_client_whose_request_was_read() {
    let (mut near, _far) = interrupted(1024).await;
    near.unread.set(false);
    let before = Instant::now();
    near.shutdown().await.unwrap();
    assert!(before.elapsed().is_zero());
}
