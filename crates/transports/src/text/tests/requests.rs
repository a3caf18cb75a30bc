//! One conversation as each provider is sent it.

use std::fmt::Write;

use aileron_contract::models;
use aileron_contract::text::{ChatMessage, ModelRequest, ReplyPart, Tools};
use serde_json::{Value, json};

use crate::text::options::Reasoning;
use crate::text::protocol::RequestOptions;
use crate::text::samples::{call, model, of, person, sunny, text, waiting};
use crate::text::{TextProvider, anthropic, gemini};

fn declaration(name: &str) -> Value {
    let parameters = json!({
        "type": "object",
        "properties": { "city": { "type": "string" } },
        "required": ["city"],
    });
    let description = "The weather in a city.";
    match name {
        gemini::NAME => json!({
            "name": "get_weather", "description": description, "parametersJsonSchema": parameters,
        }),
        anthropic::NAME => json!({
            "name": "get_weather", "description": description, "input_schema": parameters,
        }),
        _ => json!({
            "type": "function", "name": "get_weather", "description": description,
            "parameters": parameters,
        }),
    }
}

/// A conversation that another provider led: thoughts, calls side by side, one that has to wait for
/// the person, its late answer, and another question.
fn conversation() -> Vec<ChatMessage> {
    vec![
        person("Weather in Cluj? And book tea."),
        model(vec![
            ReplyPart::Reasoning { text: "Two things.".into() },
            text("Looking."),
            call("c-1", json!({ "city": "Cluj" })),
            call("c-2", json!({ "title": "Tea" })),
        ]),
        ChatMessage::Results { answers: vec![sunny("c-1"), waiting("c-2")] },
        model(vec![text("21 degrees. Shall I book tea?")]),
        ChatMessage::Late { answer: sunny("c-2") },
        person("Thanks."),
    ]
}

fn page(messages: &[ChatMessage], tools: Tools, reasoning: Reasoning) -> String {
    let mut page = String::new();
    for name in TextProvider::NAMES {
        let declarations = [declaration(name)];
        let request = ModelRequest {
            instructions: "Be brief.",
            declarations: &declarations,
            messages,
            tools,
        };
        let model = match name {
            gemini::NAME => models::GEMINI_TEXT,
            anthropic::NAME => models::ANTHROPIC_TEXT,
            _ => models::OPENAI_TEXT,
        };
        let ask = RequestOptions { model, max_output_tokens: Some(4096), reasoning };
        let body = of(name).body(&ask, &request);
        writeln!(page, "=== {name}\n{}\n", serde_json::to_string_pretty(&body).unwrap()).unwrap();
    }
    page
}

#[test]
fn one_conversation_as_each_provider_is_sent_it() {
    insta::assert_snapshot!(page(&conversation(), Tools::Offered, Reasoning::AsTheModelDoes));
}

#[test]
fn a_question_that_is_to_be_answered_without_calls_and_with_thought() {
    insta::assert_snapshot!(page(&[person("Why?")], Tools::Withheld, Reasoning::High));
}

#[test]
fn providers_are_known_by_name() {
    for name in TextProvider::NAMES {
        let provider = TextProvider::named(name).unwrap();
        assert_eq!((provider.name(), of(name).name()), (name, name));
    }
    assert_eq!(TextProvider::named("claude"), None);
}
