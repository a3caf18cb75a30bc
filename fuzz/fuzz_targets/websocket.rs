//! Bytes after the handshake, at either end: none makes the socket panic, lend more than was sent, or
//! answer more than it was asked.

#![no_main]

use std::task::{Context, Poll, Waker};

use aileron_transports::websocket::{PeerRole, WebSocket};
use libfuzzer_sys::fuzz_target;

const MOST: usize = 1 << 12;

fuzz_target!(|data: &[u8]| {
    for role in [PeerRole::Client, PeerRole::Server] {
        let mut socket = WebSocket::new(tokio::io::empty(), role, data.to_vec(), MOST);
        let mut context = Context::from_waker(Waker::noop());
        while let Poll::Ready(Some(Ok(_))) = socket.poll_next(&mut context) {
            assert!(socket.payload().len() <= data.len().min(MOST));
        }
    }
});
