//! Random words and declarations: always an action, no panic, and only valid arguments.

use aileron_contract::CallId;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::stage::{INSTRUCTIONS, Mode, shipped};
use crate::decide;
use aileron_contract::model_input::{
    Channel, HistoryItem, ModelAction, ModelCall, ModelCallResult, ModelInput, ToolDeclaration,
};

/// Words that trigger rules.
const WORDS: &[&str] = &[
    "schedule",
    "meeting",
    "with",
    "Mira Holt",
    "mira@example.com",
    "tomorrow",
    "at 10:30",
    "30 minutes",
    "draw",
    "a lighthouse",
    "\"quoted\"",
    "“",
    "extract contacts from:",
    "rank",
    "north 12",
    "by price",
    "lowest",
    "format",
    "2026-02-03",
    "weekday",
    "bye",
    "let's talk",
    "you",
    "idiot",
    "yes",
    "the second",
    "no",
    "book it",
    "who",
    "what",
    "person:mira_holt",
    "https://example.com/x",
    "her",
    "how",
    "weather",
    "in",
    "city: Cluj",
    "3 of 4",
    "ß",
    "İ",
    "日本",
    "\n",
    ":",
    "hello",
    "what can you do",
    "1e999",
    "-7.5",
];

fn words() -> impl Strategy<Value = String> {
    let known =
        prop::collection::vec(prop::sample::select(WORDS), 0..9).prop_map(|words| words.join(" "));
    prop_oneof![3 => known, 1 => any::<String>()]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        Just(json!("2026-02-03T10:00:00Z")),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let names = prop::sample::select(
            &[
                "results",
                "output",
                "error",
                "code",
                "id",
                "title",
                "slots",
                "event_draft_id",
                "variants",
                "images",
                "missing",
                "closest",
                "contacts",
                "text",
                "snippet",
                "metadata",
                "ok",
                "data",
            ][..],
        );
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(names.prop_map(str::to_owned), inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A schema of a parameter, in one of the dialects.
fn parameter() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(json!({ "type": "string" })),
        Just(json!({ "type": "STRING", "enum": ["price", "city"] })),
        Just(json!({ "type": "string", "format": "email" })),
        Just(json!({ "type": "string", "format": "date-time" })),
        Just(json!({ "type": "string", "minLength": 3, "maxLength": 6 })),
        Just(json!({ "type": "integer", "minimum": 5, "maximum": 20 })),
        Just(json!({ "type": ["number", "null"] })),
        Just(json!({ "type": "BOOLEAN" })),
        Just(json!({ "anyOf": [{ "type": "null" }, { "type": "integer" }] })),
    ];
    scalar.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({ "type": "array", "items": items, "minItems": 1 })),
            inner.prop_map(|inner| json!({ "type": "object", "properties": { "name": inner }, "required": ["name"] })),
        ]
    })
}

fn tool() -> impl Strategy<Value = ToolDeclaration> {
    let names = prop::sample::select(
        &[
            "get_weather",
            "kb_search",
            "image_generate",
            "start_voice_session",
            "rank_results",
            "calendar_propose_event",
            "find_city",
            "x",
        ][..],
    );
    let fields = prop::sample::select(
        &[
            "query",
            "ids",
            "city",
            "prompt",
            "items",
            "attendees",
            "duration_minutes",
            "subject",
            "text",
            "value",
            "user_email",
        ][..],
    );
    let fields = prop::collection::btree_map(
        fields.prop_map(str::to_owned),
        (parameter(), any::<bool>()),
        0..5,
    );
    (names, fields).prop_map(|(name, fields)| {
        let required: Vec<&String> = fields.iter().filter(|(_, (_, required))| *required).map(|(name, _)| name).collect();
        let properties: Map<String, Value> = fields.iter().map(|(name, (schema, _))| (name.clone(), schema.clone())).collect();
        let parameters = json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
        ToolDeclaration { name: name.to_owned(), description: "Weather and price of a city".to_owned(), parameters }
    })
}

fn item() -> impl Strategy<Value = HistoryItem> {
    let names = prop::sample::select(
        &[
            "kb_search",
            "kb_get",
            "calendar_propose_event",
            "image_draft_prompt",
            "image_generate",
            "ignore_user",
            "get_weather",
        ][..],
    );
    let id = || CallId::new("call_1").unwrap();
    prop_oneof![
        3 => words().prop_map(|text| HistoryItem::Heard { text, channel: Channel::Written }),
        1 => value().prop_map(|result| {
            let text = format!("[This is not from the person. Tool: kb_search. Call: c. Result: {result} Take it into account.]");
            HistoryItem::Heard { text, channel: Channel::Spoken }
        }),
        1 => words().prop_map(|text| HistoryItem::Said { text }),
        1 => names.clone().prop_map(move |name| HistoryItem::Called(ModelCall { id: id(), name: name.to_owned(), args: Map::new() })),
        2 => (names, value()).prop_map(move |(name, result)| HistoryItem::Returned(ModelCallResult { id: id(), name: name.to_owned(), result })),
    ]
}

fn tools() -> impl Strategy<Value = Vec<ToolDeclaration>> {
    prop_oneof![
        Just(shipped(Mode::Text)),
        Just(shipped(Mode::Voice)),
        prop::collection::vec(tool(), 0..4).prop_map(|mut tools| {
            tools.sort_by(|one, other| one.name.cmp(&other.name));
            tools.dedup_by(|one, other| one.name == other.name);
            tools
        }),
    ]
}

/// Whether arguments fit, judged without the code under test.
fn fits(schema: &Value, value: &Value) -> bool {
    if let Some(choices) = schema["anyOf"].as_array() {
        return choices.iter().any(|choice| fits(choice, value));
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).map(str::to_lowercase).collect()
        }
        kind => vec![kind.as_str().unwrap_or_default().to_lowercase()],
    };
    let of_kind = kinds.iter().any(|kind| match kind.as_str() {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value
            .as_array()
            .is_some_and(|items| items.iter().all(|item| fits(&schema["items"], item))),
        "object" => value.as_object().is_some_and(|fields| fits_object(schema, fields)),
        "null" => value.is_null(),
        _ => true,
    });
    of_kind && schema["enum"].as_array().is_none_or(|listed| listed.contains(value))
}

fn fits_object(schema: &Value, fields: &Map<String, Value>) -> bool {
    let required = schema["required"].as_array().into_iter().flatten();
    let complete = required.filter_map(Value::as_str).all(|name| fields.contains_key(name));
    complete
        && fields.iter().all(|(name, value)| {
            schema["properties"].get(name).is_some_and(|schema| fits(schema, value))
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn anything_leads_to_a_step_and_calls_fit_what_was_declared(
        tools in tools(),
        items in prop::collection::vec(item(), 0..7),
        dated in any::<bool>(),
    ) {
        let instructions = if dated { INSTRUCTIONS.to_owned() } else { String::new() };
        let input = ModelInput { instructions, tools, items };
        let steps = decide(&input);
        prop_assert!(!steps.is_empty());
        for step in &steps {
            match step {
                ModelAction::Say(text) | ModelAction::Think(text) => prop_assert!(!text.is_empty()),
                ModelAction::Call(calls) => {
                    prop_assert!(!calls.is_empty());
                    for call in calls {
                        let tool = input.tools.iter().find(|tool| tool.name == call.name);
                        let fits = tool.is_some_and(|tool| fits_object(&tool.parameters, &call.args));
                        prop_assert!(fits, "{call:?}");
                    }
                }
            }
        }
        prop_assert_eq!(steps, decide(&input), "the same scene leads to the same steps");
    }
}
