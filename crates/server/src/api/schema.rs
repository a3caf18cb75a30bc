//! Schemas of contract types and of errors.

use aileron_contract::id::MAX_OPAQUE_ID;
use aileron_contract::{ErrorType, Mode, Provider};
use schemars::{Schema, SchemaGenerator, json_schema};

pub(super) fn mode(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": Mode::ALL.map(Mode::as_str) })
}

pub(super) fn mode_or_none(_: &mut SchemaGenerator) -> Schema {
    let names = Mode::ALL.map(|mode| Some(mode.as_str())).into_iter().chain([None]);
    let names: Vec<Option<&str>> = names.collect();
    json_schema!({ "type": ["string", "null"], "enum": names })
}

pub(super) fn modes(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": mode(generator) })
}

pub(super) fn provider(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": Provider::ALL.map(Provider::as_str) })
}

pub(super) fn provider_or_none(_: &mut SchemaGenerator) -> Schema {
    let names = Provider::ALL.iter().map(|provider| Some(provider.as_str()));
    let names: Vec<Option<&str>> = names.chain([None]).collect();
    json_schema!({ "type": ["string", "null"], "enum": names })
}

pub(super) fn end_reason(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": ["tool", "person", "lost", "idle"] })
}

pub(super) fn task_status(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string",
        "enum": ["running", "completed", "failed", "cancelled", "outcome_unknown"]
    })
}

/// An id: printable and of bounded length.
pub(super) fn opaque_id(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "minLength": 1, "maxLength": MAX_OPAQUE_ID, "pattern": "^[!-~]+$" })
}

pub(super) fn call_ids(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["array", "null"], "items": opaque_id(generator) })
}

/// Any value: the orchestrator validates arguments and answers invalid ones.
pub(super) fn anything(_: &mut SchemaGenerator) -> Schema {
    json_schema!({})
}

pub(super) fn envelope(generator: &mut SchemaGenerator) -> Schema {
    let task_status = task_status(generator);
    let kinds: Vec<&str> = ErrorType::ALL.iter().map(|kind| kind.as_str()).collect();
    json_schema!({
        "type": "object",
        "required": ["ok", "meta"],
        "properties": {
            "ok": { "type": "boolean" },
            "data": {},
            "intents": { "type": "array", "items": { "type": "object" } },
            "error": {
                "type": "object",
                "required": ["type", "message", "retryable", "partialSideEffects", "idempotencyRequired"],
                "properties": {
                    "type": { "type": "string", "enum": kinds },
                    "message": { "type": "string" },
                    "retryable": { "type": "boolean" },
                    "partialSideEffects": { "type": "boolean" },
                    "idempotencyRequired": { "type": "boolean" },
                    "suggestion": { "type": "string" },
                    "details": {},
                    "confirmation_request": {
                        "type": "object",
                        "required": ["token", "expires", "tool", "args", "preview"],
                        "properties": {
                            "token": { "type": "string" },
                            "expires": { "type": "integer" },
                            "tool": { "type": "string" },
                            "args": {},
                            "preview": { "type": "string" }
                        }
                    }
                }
            },
            "meta": {
                "type": "object",
                "required": ["toolId", "registryVersion", "responseSchemaVersion", "callId"],
                "properties": {
                    "toolId": { "type": "string" },
                    "toolVersion": { "type": ["string", "null"] },
                    "registryVersion": { "type": "string" },
                    "responseSchemaVersion": { "type": "string" },
                    "callId": { "type": "string" },
                    "duration": { "type": "integer" },
                    "attempts": { "type": "integer" },
                    "task": {
                        "type": "object",
                        "required": ["id", "status"],
                        "properties": { "id": { "type": "string" }, "status": task_status }
                    }
                }
            }
        }
    })
}

/// The body of a chat request. Front ends may send more.
pub(super) fn chat(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "anyOf": [
            { "required": ["message"] },
            { "required": ["messages"] },
            { "required": ["confirmations"] },
            { "required": ["trigger"] }
        ],
        "properties": {
            "id": { "type": "string", "description": "The conversation; without it a new one begins." },
            "message": { "type": "string", "description": "The person's text, for clients without `messages`." },
            "messages": {
                "type": "array",
                "items": { "type": "object" },
                "description": "The history of the front end; only the last message is used."
            },
            "trigger": {
                "type": "string",
                "description": "`regenerate-message`: answer again. `task-results`: continue with the results of tasks; 204 without any."
            },
            "messageId": { "type": "string" },
            "confirmations": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["token", "approve"],
                    "properties": {
                        "token": { "type": "string" },
                        "approve": { "type": "boolean" }
                    }
                }
            },
            "stream": { "type": "boolean", "description": "`false`: the whole message as JSON." },
            "sdk": { "type": "integer", "description": "`5` for clients of version 5 of the AI SDK." },
            "registry": {
                "type": "string",
                "description": "The registry of a conversation that begins, where a rule allows the person to ask for it."
            }
        }
    })
}

pub(super) fn objects(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "type": "object" } })
}

pub(super) fn trail(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["policy", "result"],
            "properties": {
                "policy": { "type": "string" },
                "result": {
                    "type": "string",
                    "enum": ["passed", "refused", "undecided", "asked", "duplicate"]
                },
                "measure": {
                    "type": "object",
                    "required": ["used", "limit", "of"],
                    "properties": {
                        "used": { "type": "integer" },
                        "limit": { "type": "integer" },
                        "of": { "type": "string" }
                    }
                }
            }
        }
    })
}

pub(super) fn decisions(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["decision", "trail"],
            "properties": {
                "decision": { "type": "string", "enum": ["run", "ask", "refuse", "hold", "replay"] },
                "trail": trail(generator),
                "args": {},
                "clamped": { "type": "array", "items": { "type": "object" } },
                "preview": { "type": ["string", "null"] },
                "policy": { "type": "string" },
                "error": { "type": "object" }
            }
        }
    })
}

pub(super) fn audit_records(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": audit_record(generator) })
}

pub(super) fn audit_record(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "required": [
            "seq", "time", "conversation", "mode", "turn", "callId", "toolId", "registryVersion",
            "outcome", "duration", "attempts", "args", "previous", "hash"
        ],
        "properties": {
            "seq": { "type": "integer" },
            "time": { "type": "integer" },
            "conversation": { "type": "string" },
            "user": { "type": "string" },
            "mode": mode(generator),
            "turn": { "type": "integer" },
            "callId": { "type": "string" },
            "toolId": { "type": "string" },
            "toolVersion": { "type": "string" },
            "category": { "type": "string", "enum": ["retrieval", "action", "utility"] },
            "registryVersion": { "type": "string" },
            "outcome": { "type": "string" },
            "error": { "type": "string" },
            "retryable": { "type": "boolean" },
            "duration": { "type": "integer" },
            "attempts": { "type": "integer" },
            "args": {},
            "result": {},
            "resultBytes": { "type": "integer" },
            "trail": trail(generator),
            "previous": { "type": "string" },
            "hash": { "type": "string" }
        }
    })
}

pub(super) fn error(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {
                    "code": { "type": "string" },
                    "message": { "type": "string" }
                }
            }
        }
    })
}
