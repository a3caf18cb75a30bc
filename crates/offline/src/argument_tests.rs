//! Arguments from words, for tools that no rule knows.

use serde_json::json;

use super::*;
use aileron_contract::model_input::{Channel, HistoryItem, ModelInput};

fn check(words: &str, parameters: Value, expected: Value) {
    let tool = ToolDeclaration {
        name: "get_weather".into(),
        description: "Weather of a city".into(),
        parameters,
    };
    let heard = HistoryItem::Heard { text: words.to_owned(), channel: Channel::Written };
    let input = ModelInput {
        instructions: "Today is 2026-02-03.".into(),
        tools: vec![tool.clone()],
        items: vec![heard],
    };
    let situation = Situation::new(&input);
    let steps = call(&tool, from_words(&situation, &tool));
    let found = match &steps[0] {
        ModelAction::Call(calls) => Value::Object(calls[0].args.clone()),
        ModelAction::Say(text) | ModelAction::Think(text) => json!(text),
    };
    assert_eq!(found, expected, "{words}");
}

#[test]
fn arguments_are_taken_from_the_words() {
    let city = json!({ "type": "object", "required": ["city"], "properties": { "city": { "type": "string" } } });
    check("What is the weather in Cluj?", city.clone(), json!({ "city": "Cluj" }));
    check("weather \"New York\"", city, json!({ "city": "New York" }));
    let typed = json!({ "type": "OBJECT", "required": ["unit", "days"], "properties": {
        "unit": { "type": "STRING", "enum": ["celsius", "fahrenheit"] },
        "days": { "type": "INTEGER", "minimum": 1 },
        "from": { "type": "STRING", "format": "date" },
        "mail": { "type": "STRING", "format": "email" }
    } });
    let expected =
        json!({ "unit": "celsius", "days": 3, "from": "2026-02-04", "mail": "a@example.com" });
    check("weather for 3 days from tomorrow in celsius to a@example.com", typed, expected);
}

#[test]
fn what_is_missing_is_asked_for_in_plain_words() {
    let parameters = json!({ "type": "object", "required": ["send_to"], "properties": { "send_to": { "type": "string", "format": "email", "description": "Where to send it; one address" } } });
    check("weather please", parameters, json!("I still need the send to (Where to send it)."));
}
