//! Behaviours that an engine cannot have, each with the reason.

use super::behaviours::{Behaviour, During};
use super::setup::Engine;

/// The reason why an engine does not play a behaviour.
pub(super) fn reason(engine: Engine, behaviour: &Behaviour) -> Option<&'static str> {
    match (engine, behaviour.name, behaviour.during) {
        (Engine::Native, "no_envelope" | "nothing" | "circular" | "unknown_type", _) => {
            Some("the Rust compiler refuses such a handler")
        }
        (Engine::Native, "too_large", _) => {
            Some("the result of a native handler is a value in memory and crosses no boundary")
        }
        (Engine::Native, "voice", _) => Some("a native handler makes its intents itself"),
        (Engine::Native, "console", _) => Some("a native handler has no console"),
        (Engine::Native, "fault_after_effect", _) => {
            Some("a native handler tells its own side effects")
        }
        (Engine::Native, "keeps_context", _) => {
            Some("a native handler is part of this program, and its context is a value of it")
        }
        (Engine::Native, "spins", _) => {
            Some("a native handler that blocks its thread cannot be stopped")
        }
        (Engine::Native, "memory", _) => Some("a native handler has the memory of this program"),
        (Engine::Native | Engine::SandboxThread, _, During::Kill) => {
            Some("the handler has no process of its own")
        }
        (Engine::Python | Engine::AsyncPython, "unawaited", _) => {
            Some("a coroutine that is not awaited does not begin, and a plain function waits")
        }
        _ => None,
    }
}
