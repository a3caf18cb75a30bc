//! Schemas of contract types and of errors.

use aileron_contract::id::MAX_OPAQUE_ID;
use aileron_contract::{ErrorType, Mode, Provider};
use schemars::{Schema, SchemaGenerator, json_schema};

pub(super) fn mode(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": Mode::ALL.map(Mode::as_str) })
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

pub(super) fn envelope(_: &mut SchemaGenerator) -> Schema {
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
                    "attempts": { "type": "integer" }
                }
            }
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
