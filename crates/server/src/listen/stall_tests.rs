//! Patience with a reader, and its end. Time is the test's.

use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

use super::*;

const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test(start_paused = true)]
async fn a_reader_that_stops_is_given_up() {
    let (near, _far) = duplex(8);
    let error = StallStream::new(near, PATIENCE).write_all(&[0; 9]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_that_goes_on_is_waited_for() {
    let (near, mut far) = duplex(8);
    let reading = tokio::spawn(async move {
        let mut read = 0;
        while read < 64 {
            sleep(PATIENCE / 2).await;
            read += far.read(&mut [0; 8]).await.unwrap();
        }
        read
    });
    StallStream::new(near, PATIENCE).write_all(&[0; 64]).await.unwrap();
    assert_eq!(reading.await.unwrap(), 64);
}
