//! Which handlers are reported for a message without its intent.

use crate::handler::case::{compile, javascript, typescript};

const CODE: &str = "H021";

fn reported(text: &str) -> bool {
    javascript(text).codes().iter().any(|code| code.starts_with(CODE))
}

fn handler(body: &str) -> String {
    format!("export async function execute({{ args, context }}) {{\n{body}\n}}\n")
}

#[test]
fn a_timeout_without_a_block_is_reported_at_the_message() {
    let text = handler(
        "  const timeoutUntil = 5;\n  await context.messaging.send({ type: 'timeout', timeoutUntil });\n  return { ok: true, data: {} };",
    );
    let found = javascript(&text);
    assert!(found.codes().contains(&"H021 t/handler.js:3:32".to_owned()), "{:?}", found.codes());
}

#[test]
fn messages_in_variables_functions_and_type_script_are_seen() {
    assert!(reported(&handler(
        "  const m = { type: 'timeout' };\n  await context.messaging.send(m);\n  return { ok: true, data: {} };"
    )));
    assert!(reported(&format!(
        "{}const make = () => ({{ type: `timeout` }});\n",
        handler(
            "  const { messaging } = context;\n  await messaging.send(make());\n  return { ok: true, data: {} };"
        )
    )));
    let typed = typescript(&handler(
        "  const until: number = 5;\n  await context.messaging.send({ type: 'timeout', until } as const);\n  return { ok: true, data: {} };",
    ));
    assert!(typed.codes().iter().any(|code| code.starts_with(CODE)), "{:?}", typed.codes());
}

#[test]
fn an_intent_anywhere_in_the_handler_is_enough() {
    let send = "  await context.messaging.send({ type: 'timeout' });\n";
    assert!(!reported(&handler(&format!(
        "{send}  return {{ ok: true, data: {{}}, intents: [{{ type: 'BLOCK_USER', until: 5 }}] }};"
    ))));
    let modules = compile(&[
        (
            "t/handler.js",
            &handler(&format!("{send}  return finish();"))
                .replace("export", "import { finish } from './finish.js';\nexport"),
        ),
        (
            "t/finish.js",
            "import { IntentType } from 'aileron';\nexport const finish = () => ({ ok: true, intents: [{ type: IntentType.BLOCK_USER, until: 5 }] });\n",
        ),
    ]);
    assert!(!modules.codes().iter().any(|code| code.starts_with(CODE)), "{:?}", modules.codes());
}

#[test]
fn a_request_for_voice_is_reported_in_a_message_and_in_data() {
    assert!(reported(&handler(
        "  await context.messaging.send({ type: 'start_voice_session' });\n  return { ok: true, data: {} };"
    )));
    assert!(reported(&handler("  return { ok: true, data: { action: 'startVoiceSession' } };")));
    assert!(!reported(&handler(
        "  return { ok: true, data: {}, intents: [{ type: 'START_VOICE_SESSION' }] };"
    )));
    assert!(!reported(&handler(
        "  return { ok: true, data: {}, intents: [context.voice.endSession()] };"
    )));
}

#[test]
fn other_messages_and_data_that_is_not_sent_are_not_reported() {
    assert!(!reported(&handler(
        "  await context.messaging.send({ type: 'image' });\n  return { ok: true, data: {} };"
    )));
    assert!(!reported(&handler("  return { ok: true, data: { type: 'timeout' } };")));
}
