//! Frames of OpenAI Realtime, several over one connection: no frame makes the transport panic, and one that
//! cannot be read changes nothing.

#![no_main]

use aileron_contract::transport::{Command, Effects, Protocol, Setup};
use aileron_transports::OpenaiRealtime;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut protocol = OpenaiRealtime::default();
    let mut effects = Effects::default();
    let setup = Setup::new("m", "Be nice.");
    let _ = protocol.command(Command::Start(&setup), &mut effects);
    for frame in data.split(|byte| *byte == b'\n') {
        effects.clear();
        if protocol.receive(frame, &mut effects).is_err() {
            assert!(effects.events.is_empty() && effects.frames.is_empty());
        }
        effects.clear();
        let _ = protocol.command(Command::Text("hi"), &mut effects);
    }
});
