//! Audio that is read by what stands around it is what its JSON says.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// Around audio: alone in several spellings, and with something beside it.
const WRAPPINGS: &[(&str, &str)] = &[
    (
        r#"{"serverContent":{"modelTurn":{"role":"model","parts":[{"inlineData":{"mimeType":"audio/pcm;rate=24000","data":""#,
        r#""}}]}}}"#,
    ),
    (
        r#"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"data":""#,
        r#"","mimeType":"audio/pcm"}}]}}}"#,
    ),
    (
        "{\n  \"server_content\": {\"model_turn\": {\"parts\": [{\"inline_data\": {\"mime_type\": \"audio/l16\", \"data\": \"",
        "\"\n}}]}}}",
    ),
    (
        r#"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm;rate=8000","data":""#,
        r#""}}]}}}"#,
    ),
    (
        r#"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"image/png","data":""#,
        r#""}}]}}}"#,
    ),
    (
        r#"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm","data":"AAAA"}},{"inlineData":{"mimeType":"audio/pcm","data":""#,
        r#""}}]}}}"#,
    ),
    (
        r#"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm","data":""#,
        r#""}}]},"turnComplete":true}}"#,
    ),
    (
        r#"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm","data":""#,
        r#""}}]},"outputTranscription":{"text":"hi"}}}"#,
    ),
    (
        r#"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm","data":""#,
        r#""}}]}},"usageMetadata":{"promptTokenCount":1}}"#,
    ),
    (
        r#"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm","data":""#,
        r#""},"functionCall":{"name":"f"}}]}}}"#,
    ),
    (
        r#"{"later":1,"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm","data":""#,
        r#""}}]}}}"#,
    ),
    (r#"{"serverContent":{"interrupted":true,"inputTranscription":{"text":""#, r#""}}}"#),
    (r#"{"serverContent":{"turnComplete":true,"turnCompleteReason":""#, r#""}}"#),
];

fn frame() -> impl Strategy<Value = String> {
    let base64 = prop_oneof![
        4 => "([A-Za-z0-9+/]{4}){0,4}",
        2 => "[A-Za-z0-9+/]{0,8}={0,2}",
        1 => r#"[A-Za-z+/="\\ {}]{0,8}"#,
    ];
    (select(WRAPPINGS), base64)
        .prop_map(|((before, after), base64)| [before, &base64, after].concat())
}

proptest! {
    #[test]
    fn what_is_wrapped_alike_says_what_its_json_says(frames in vec(frame(), 1..12)) {
        let (mut line, mut reader) = (ready(), ready());
        for frame in &frames {
            reader.protocol.wrapping = None;
            line.effects.clear();
            reader.effects.clear();
            let read = line.protocol.receive(frame.as_bytes(), &mut line.effects);
            prop_assert_eq!(read, reader.protocol.receive(frame.as_bytes(), &mut reader.effects));
            prop_assert_eq!(&line.effects, &reader.effects);
        }
        (line.protocol.wrapping, reader.protocol.wrapping) = (None, None);
        prop_assert_eq!(line.protocol, reader.protocol);
    }
}

#[test]
fn only_audio_that_comes_by_itself_is_known_by_what_stands_around_it() {
    let learns = |(before, after): &(&str, &str)| {
        let mut line = ready();
        let frame = [*before, "AAAA", *after].concat();
        let _ = line.protocol.receive(frame.as_bytes(), &mut line.effects);
        line.protocol.wrapping.is_some()
    };
    let learnt: Vec<_> = WRAPPINGS.iter().map(learns).collect();
    assert_eq!(learnt[..3], [true; 3]);
    assert_eq!(learnt[3..], [false; 10]);
}
