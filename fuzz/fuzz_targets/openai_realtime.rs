//! Frames of OpenAI Realtime, several over one connection with commands between them: no frame makes the
//! transport panic, and one that cannot be read changes nothing.

#![no_main]

#[path = "connection.rs"]
mod connection;

use aileron_transports::OpenaiRealtime;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| connection::drive(OpenaiRealtime::default(), data));
