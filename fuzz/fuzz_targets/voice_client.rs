//! Text frames of a client of `/v1/voice`: none makes the server panic, and one that is refused is
//! refused in a sentence that can be sent back.

#![no_main]

use aileron_server::voice::check_message;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    // The socket refuses what is not UTF-8 before anybody reads it.
    let Ok(frame) = std::str::from_utf8(data) else { return };
    if let Err(why) = check_message(frame) {
        assert!(!why.is_empty() && why.len() < 4096);
    }
});
