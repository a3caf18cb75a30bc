//! Updates of a session, and refused ones.

use super::*;

fn config() -> Config {
    Config::new("sess_1", "gpt-realtime")
}

fn update(config: &mut Config, mut session: Value) -> Result<(), EventRefusal> {
    session["type"] = "realtime".into();
    config.update(session.as_object().cloned().unwrap_or_default())
}

fn check_refused(session: Value, code: &str, param: &str) {
    let refusal = update(&mut config(), session).unwrap_err();
    assert_eq!((refusal.code, refusal.param.as_deref()), (code, Some(param)));
}

#[test]
fn only_what_is_named_changes() {
    let mut config = config();
    let first = json!({ "instructions": "Be brief.", "audio": { "input": { "transcription": { "model": "t" } } } });
    update(&mut config, first).unwrap();
    update(&mut config, json!({ "tracing": "auto" })).unwrap();
    assert_eq!(config.instructions(), "Be brief.");
    assert!(config.transcribes());
    assert_eq!(config.silence_ms(), 500);
    assert_eq!(config.shown()["audio"]["output"]["voice"], "marin");
    update(&mut config, json!({ "audio": { "input": { "turn_detection": null } } })).unwrap();
    assert_eq!(config.detection(), None);
    assert!(!config.detects("create_response"));
}

#[test]
fn the_type_of_a_session_is_required() {
    let refusal = config().update(Map::new()).unwrap_err();
    assert_eq!(
        (refusal.code, refusal.param.as_deref()),
        ("missing_required_parameter", Some("session.type"))
    );
}

#[test]
fn what_the_real_one_refuses_is_refused_by_name() {
    check_refused(json!({ "temperature": 0.8 }), "unknown_parameter", "session.temperature");
    check_refused(json!({ "voice": "marin" }), "unknown_parameter", "session.voice");
    check_refused(
        json!({ "output_modalities": ["text", "audio"] }),
        "invalid_value",
        "session.output_modalities",
    );
    let rate =
        json!({ "audio": { "input": { "format": { "type": "audio/pcm", "rate": 16_000 } } } });
    check_refused(rate, "invalid_value", "session.audio.input.format");
    let vad = json!({ "audio": { "input": { "turn_detection": { "type": "vad" } } } });
    check_refused(vad, "invalid_value", "session.audio.input.turn_detection.type");
    check_refused(
        json!({ "max_output_tokens": 5000 }),
        "invalid_value",
        "session.max_output_tokens",
    );
    check_refused(json!({ "model": "other" }), "cannot_update_model", "session.model");
    let tool = |tool: Value| json!({ "tools": [tool] });
    let strict = json!({ "type": "function", "name": "f", "strict": true });
    check_refused(tool(strict), "unknown_parameter", "session.tools[0].strict");
    check_refused(
        tool(json!({ "type": "function" })),
        "missing_required_parameter",
        "session.tools[0].name",
    );
    check_refused(
        tool(json!({ "type": "function", "name": "a b" })),
        "invalid_value",
        "session.tools[0].name",
    );
}

#[test]
fn a_refused_update_changes_nothing() {
    let mut config = config();
    let mixed = json!({ "instructions": "changed", "temperature": 1 });
    assert!(update(&mut config, mixed).is_err());
    assert_eq!(config.instructions(), "");
}

#[test]
fn a_voice_that_was_heard_stays() {
    let mut config = config();
    let other = json!({ "audio": { "output": { "voice": "cedar" } } });
    update(&mut config, other.clone()).unwrap();
    config.was_heard = true;
    update(&mut config, other).unwrap();
    let refusal =
        update(&mut config, json!({ "audio": { "output": { "voice": "marin" } } })).unwrap_err();
    assert_eq!(refusal.code, "cannot_update_voice");
}
