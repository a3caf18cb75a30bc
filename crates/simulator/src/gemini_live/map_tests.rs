//! Valid setups.

use serde_json::json;

use super::*;

fn setup(value: Value) -> Setup {
    serde_json::from_value(value).unwrap()
}

fn refused(value: Value) -> Refusal {
    let setup = setup(value);
    let tools = setup.tools.as_deref().unwrap_or_default();
    let contract = aileron_contract::models::gemini_live(&setup.model);
    let declared = declared(contract, tools, "setup.").map(drop);
    let instructions = instructions(setup.system_instruction.as_ref()).map(drop);
    config(&setup).map(drop).and(declared).and(instructions).unwrap_err()
}

fn functions(functions: Value) -> Value {
    json!({ "model": "models/m", "tools": [{ "functionDeclarations": functions }] })
}

#[test]
fn what_is_not_said_is_as_the_real_one_has_it() {
    let found = config(&setup(json!({ "model": "models/m" }))).unwrap();
    assert_eq!((found.speaks, found.listens), (OutputModality::Audio, SpeechDetector::Server));
    assert_eq!((found.silence_ms, found.interrupts), (500, true));
    assert!(!found.transcribes_model && !found.resumable);
}

#[test]
fn presence_alone_switches_things_on() {
    let found = config(&setup(json!({ "model": "models/m", "sessionResumption": {},
        "outputAudioTranscription": {}, "inputAudioTranscription": {} })));
    let found = found.unwrap();
    assert!(found.transcribes_model && found.transcribes_person && found.resumable);
}

#[test]
fn what_the_real_one_refuses_is_refused() {
    let both = json!({ "model": "models/m", "generationConfig": { "responseModalities": ["TEXT", "AUDIO"] } });
    assert_eq!(refused(both).0, 1007);
    assert_eq!(refused(json!({ "model": "gemini" })).0, 1008);
    assert_eq!(refused(functions(json!([{ "name": "9lives" }]))).0, 1007);
    let twice = refused(functions(json!([{ "name": "f" }, { "name": "f" }]))).1;
    assert!(twice.contains("Duplicate function"), "{twice}");
    let two = json!([{ "name": "f", "parameters": { "type": "OBJECT" }, "parametersJsonSchema": { "type": "object" } }]);
    assert!(refused(functions(two)).1.contains("exclusive"));
    let keyword = json!([{ "name": "f", "parameters": { "type": "OBJECT", "$schema": "x" } }]);
    let found = refused(functions(keyword)).1;
    assert_eq!(
        found,
        "Invalid JSON payload received. Unknown name \"$schema\" at \
        'setup.tools[0].function_declarations[0].parameters': Cannot find field."
    );
    let image = json!({ "model": "models/m", "systemInstruction": { "parts": [{ "inlineData": { "data": "", "mimeType": "image/png" } }] } });
    assert!(refused(image).1.contains("only text parts"));
}

#[test]
fn spans_are_written_as_protobuf_writes_them() {
    assert_eq!(go_away(Duration::from_millis(9_500))["goAway"]["timeLeft"], "9.5s");
    assert_eq!(go_away(Duration::from_secs(5))["goAway"]["timeLeft"], "5s");
}
