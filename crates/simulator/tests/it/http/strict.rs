//! Requests that the real provider would refuse are refused, in the provider's format.

use serde_json::{Value, json};

use super::client::{ANTHROPIC, GEMINI, OPENAI, post, provider, raw};

const GENERATE: &str = "/v1beta/models/g:generateContent";

async fn refused(path: &str, headers: &str, body: Value, status: u16, words: &str) {
    let address = provider(&[]).await;
    let answer = post(&address, path, headers, &body).await;
    let text = answer.text();
    assert_eq!(answer.status, status, "{path} {body}: {text}");
    assert!(text.contains(words), "{path} {body}: expected {words:?} in {text}");
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "parts": [{ "text": text }] })
}

#[tokio::test]
async fn a_request_without_a_key_is_not_authenticated() {
    let chat = json!({ "model": "m", "messages": [{ "role": "user", "content": "x" }] });
    refused("/v1/chat/completions", "", chat, 401, "invalid_api_key").await;
    refused("/v1/responses", "", json!({ "model": "m", "input": "x" }), 401, "invalid_api_key")
        .await;
    refused(GENERATE, "", json!({ "contents": [user("x")] }), 401, "UNAUTHENTICATED").await;
    refused("/v1/messages", "", json!({}), 401, "authentication_error").await;
    refused("/v1/images/generations", "", json!({}), 401, "invalid_api_key").await;
}

#[tokio::test]
async fn a_body_that_is_no_request_is_refused() {
    let address = provider(&[]).await;
    for (path, headers) in [
        ("/v1/chat/completions", OPENAI),
        ("/v1/responses", OPENAI),
        (GENERATE, GEMINI),
        ("/v1/messages", ANTHROPIC),
        ("/v1/images/generations", OPENAI),
    ] {
        for body in
            ["", "{", "[]", "3", "{\"messages\": 3, \"input\": 3, \"contents\": 3}", "\u{0}"]
        {
            let answer = raw(&address, "POST", path, headers, body.as_bytes()).await;
            assert_eq!(answer.status, 400, "{path} {body:?}: {}", answer.text());
            assert!(answer.json()["error"]["message"].is_string());
        }
    }
}

#[tokio::test]
async fn gemini_refuses_keywords_that_native_parameters_do_not_have() {
    let tools = |parameters: Value| {
        let declaration = json!({ "name": "f", "parameters": parameters });
        json!({ "contents": [user("x")], "tools": [{ "function_declarations": [declaration] }] })
    };
    let nested = json!({ "type": "OBJECT", "properties": { "a": { "type": "STRING" }, "n": { "type": "INTEGER", "exclusiveMinimum": 0 } } });
    let text = "Unknown name \\\"exclusiveMinimum\\\" at 'tools[0].function_declarations[0].parameters.properties[1].value': Cannot find field.";
    refused(GENERATE, GEMINI, tools(nested), 400, text).await;
    let closed = json!({ "type": "object", "additionalProperties": false });
    refused(GENERATE, GEMINI, tools(closed), 400, "additionalProperties").await;
    let list = json!({ "type": "OBJECT", "properties": { "a": { "type": "ARRAY" } } });
    refused(GENERATE, GEMINI, tools(list), 400, "items: missing field").await;
    let kinds = json!({ "type": "OBJECT", "properties": { "a": { "type": ["STRING", "NULL"] } } });
    refused(GENERATE, GEMINI, tools(kinds), 400, "cannot start list").await;
    refused(GENERATE, GEMINI, json!({ "contents": [user("x")], "extra": 1 }), 400, "extra").await;
    refused(
        "/v1/models/g:countTokens",
        GEMINI,
        json!({ "contents": [user("x")] }),
        404,
        "NOT_FOUND",
    )
    .await;
}

#[tokio::test]
async fn gemini_wants_its_signature_back_and_one_answer_for_each_call() {
    let address = provider(&[]).await;
    let tools = json!([{ "functionDeclarations": [{ "name": "get_weather" }] }]);
    let first = json!({ "contents": [user("parallel")], "tools": tools });
    let content =
        post(&address, GENERATE, GEMINI, &first).await.json()["candidates"][0]["content"].clone();
    let parts = content["parts"].as_array().unwrap();
    assert!(parts[0]["thoughtSignature"].is_string() && parts[1].get("thoughtSignature").is_none());
    let answers: Vec<Value> = parts.iter().map(|part| {
        let call = &part["functionCall"];
        json!({ "functionResponse": { "id": call["id"], "name": call["name"], "response": { "output": 21 } } })
    }).collect();
    let send = |content: Value, answers: Vec<Value>| {
        let contents = json!([user("parallel"), content, { "role": "user", "parts": answers }]);
        json!({ "contents": contents, "tools": tools })
    };
    let unchanged = post(&address, GENERATE, GEMINI, &send(content.clone(), answers.clone())).await;
    assert_eq!(unchanged.status, 200, "{}", unchanged.text());
    let mut unsigned = content.clone();
    unsigned["parts"][0].as_object_mut().unwrap().remove("thoughtSignature");
    let mut forged = content.clone();
    forged["parts"][0]["thoughtSignature"] = "AAAA".into();
    let mut skipped = content.clone();
    skipped["parts"][0]["thoughtSignature"] = "skip_thought_signature_validator".into();
    let mut unknown = answers.clone();
    unknown[0]["functionResponse"]["id"] = "call_unknown".into();
    for (body, status, words) in [
        (send(unsigned, answers.clone()), 400, "missing a thought_signature"),
        (send(forged, answers.clone()), 400, "Corrupted thought signature"),
        (send(skipped, answers.clone()), 200, "2 of 2"),
        (send(content.clone(), answers[..1].to_vec()), 400, "number of function response parts"),
        (send(content.clone(), unknown), 400, "answers no function call"),
    ] {
        let answer = post(&address, GENERATE, GEMINI, &body).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        assert!(answer.text().contains(words), "{}", answer.text());
    }
}

#[tokio::test]
async fn chat_refuses_tool_messages_that_answer_nothing_and_calls_without_an_answer() {
    let path = "/v1/chat/completions";
    let call = json!({ "id": "call_1", "type": "function", "function": { "name": "f", "arguments": "{}" } });
    let user = json!({ "role": "user", "content": "x" });
    let called = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
    let orphan = json!({ "role": "tool", "tool_call_id": "call_2", "content": "" });
    let body = |messages: Value| json!({ "model": "m", "messages": messages });
    refused(path, OPENAI, body(json!([user, orphan])), 400, "must answer a preceding message")
        .await;
    refused(path, OPENAI, body(json!([user, called, orphan])), 400, "'call_2' answers none").await;
    refused(path, OPENAI, body(json!([user, called, user])), 400, "call_1").await;
    refused(path, OPENAI, body(json!([user, called])), 400, "call_1").await;
    refused(path, OPENAI, body(json!([{ "role": "robot", "content": "x" }])), 400, "invalid_value")
        .await;
    refused(path, OPENAI, body(json!([])), 400, "messages").await;
    refused(path, OPENAI, json!({ "messages": [user] }), 400, "model").await;
    let hot = json!({ "model": "m", "messages": [user], "temperature": 3 });
    refused(path, OPENAI, hot, 400, "temperature").await;
}

#[tokio::test]
async fn responses_pairs_calls_and_outputs_by_call_id() {
    let path = "/v1/responses";
    let call =
        json!({ "type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}" });
    let output =
        |id: &str| json!({ "type": "function_call_output", "call_id": id, "output": "21" });
    let user = json!({ "role": "user", "content": "x" });
    let body = |input: Value| json!({ "model": "m", "input": input });
    refused(
        path,
        OPENAI,
        body(json!([user, call])),
        400,
        "No tool output found for function call call_1",
    )
    .await;
    refused(path, OPENAI, body(json!([user, output("call_9")])), 400, "No tool call found").await;
    refused(
        path,
        OPENAI,
        body(json!([user, call, output("call_1"), output("call_1")])),
        400,
        "No tool call found",
    )
    .await;
    let lost = json!({ "model": "m", "input": "x", "previous_response_id": "resp_9" });
    refused(path, OPENAI, lost, 400, "previous_response_not_found").await;
    let strict = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": [], "additionalProperties": false });
    let tool = json!({ "type": "function", "name": "f", "parameters": strict, "strict": true });
    refused(
        path,
        OPENAI,
        json!({ "model": "m", "input": "x", "tools": [tool] }),
        400,
        "invalid_function_parameters",
    )
    .await;
}

#[tokio::test]
async fn anthropic_refuses_by_version_and_pairs_tool_use_with_results() {
    let path = "/v1/messages";
    let later = "authorization: Bearer k\r\nanthropic-version: 2026-10-21\r\n";
    let user = json!({ "role": "user", "content": "x" });
    let called = json!({ "role": "assistant", "content": [{ "type": "tool_use", "id": "toolu_1", "name": "f", "input": {} }] });
    let result = |id: &str| json!({ "type": "tool_result", "tool_use_id": id, "content": "21" });
    let body = |messages: Value| json!({ "model": "m", "max_tokens": 9, "messages": messages });
    let mut warm = body(json!([user]));
    warm["temperature"] = 0.5.into();
    let address = provider(&[]).await;
    assert_eq!(post(&address, path, ANTHROPIC, &warm).await.status, 200);
    refused(path, later, warm, 400, "temperature").await;
    refused(path, "x-api-key: k\r\n", body(json!([user])), 400, "anthropic-version").await;
    refused(path, later, body(json!([])), 400, "at least one message").await;
    refused(
        path,
        later,
        body(json!([{ "role": "assistant", "content": "x" }])),
        400,
        "first message",
    )
    .await;
    refused(path, later, body(json!([user, called])), 400, "toolu_1").await;
    refused(path, later, body(json!([user, called, user])), 400, "toolu_1").await;
    let wrong = json!({ "role": "user", "content": [result("toolu_9")] });
    refused(path, later, body(json!([user, called, wrong])), 400, "unexpected `tool_use_id`").await;
    let text = json!({ "type": "text", "text": "so" });
    let late = json!({ "role": "user", "content": [text, result("toolu_1")] });
    refused(path, later, body(json!([user, called, late])), 400, "toolu_1").await;
    refused(path, later, json!({ "model": "m", "messages": [user] }), 400, "max_tokens").await;
    let fine = json!({ "role": "user", "content": [result("toolu_1"), text] });
    let answer = post(&address, path, later, &body(json!([user, called, fine]))).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[tokio::test]
async fn models_are_listed_in_the_form_of_whoever_asks() {
    let address = provider(&[]).await;
    for (headers, list, name) in [
        (OPENAI, "/data/0/id", "simulated"),
        (ANTHROPIC, "/data/0/id", "simulated"),
        (GEMINI, "/models/0/name", "models/simulated"),
    ] {
        let answer = raw(&address, "GET", "/v1/models", headers, b"").await;
        assert_eq!(answer.json().pointer(list), Some(&name.into()), "{headers}");
        let one = raw(&address, "GET", "/v1/models/simulated", headers, b"").await;
        assert_eq!(one.status, 200, "{headers}");
    }
    assert_eq!(raw(&address, "GET", "/v1/models", "", b"").await.status, 401);
}

#[tokio::test]
async fn a_second_slash_and_any_version_lead_to_gemini() {
    let address = provider(&[]).await;
    for path in [
        "//v1beta/models/g:generateContent",
        "/v1alpha/models/g:generateContent",
        "/v1/models/g:generateContent?key=k",
    ] {
        let answer = post(&address, path, GEMINI, &json!({ "contents": [user("plain")] })).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
}

#[tokio::test]
async fn thoughts_are_shown_to_those_who_ask_for_them() {
    let address = provider(&[]).await;
    let gemini = |config: Value| json!({ "contents": [user("think")], "generationConfig": config });
    let shown = post(
        &address,
        GENERATE,
        GEMINI,
        &gemini(json!({ "thinkingConfig": { "includeThoughts": true } })),
    )
    .await;
    assert_eq!(shown.json()["candidates"][0]["content"]["parts"][0]["thought"], true);
    let hidden = post(&address, GENERATE, GEMINI, &gemini(json!({}))).await;
    assert!(!hidden.text().contains("Let me see."));
    let mut body = json!({ "model": "m", "input": "think", "stream": true });
    assert!(
        !post(&address, "/v1/responses", OPENAI, &body).await.text().contains("reasoning_summary")
    );
    body["reasoning"] = json!({ "summary": "auto" });
    let events = post(&address, "/v1/responses", OPENAI, &body).await.text();
    assert!(events.contains("response.reasoning_summary_text.delta"), "{events}");
}

#[tokio::test]
async fn pictures_are_png_of_the_shape_that_was_asked_for() {
    let address = provider(&[]).await;
    let body =
        json!({ "model": "gpt-image", "prompt": "a lighthouse", "size": "1536x1024", "n": 2 });
    let answer = post(&address, "/v1/images/generations", OPENAI, &body).await.json();
    let images = answer["data"].as_array().unwrap();
    assert_eq!(images.len(), 2);
    let png = base64_simd::STANDARD.decode_to_vec(images[0]["b64_json"].as_str().unwrap()).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(&png[16..24], [0, 0, 0, 64, 0, 0, 0, 42]);
    let body = json!({ "contents": [user("a lighthouse")], "generationConfig": { "responseModalities": ["TEXT", "IMAGE"] } });
    let answer = post(&address, GENERATE, GEMINI, &body).await.json();
    assert_eq!(
        answer["candidates"][0]["content"]["parts"][1]["inlineData"]["mimeType"],
        "image/png"
    );
    let refusing = provider(&["refuse"]).await;
    let answer = post(&refusing, GENERATE, GEMINI, &body).await.json();
    assert_eq!(answer["candidates"][0]["finishReason"], "IMAGE_SAFETY");
    let body = json!({ "model": "gpt-image", "prompt": "a lighthouse" });
    let answer = post(&refusing, "/v1/images/generations", OPENAI, &body).await;
    assert_eq!(
        (answer.status, &answer.json()["error"]["code"]),
        (400, &"moderation_blocked".into())
    );
}

#[tokio::test]
async fn each_model_makes_pictures_of_its_own_sizes() {
    let address = provider(&[]).await;
    for (model, size, status) in [
        ("gpt-image-1", "1536x1024", 200),
        ("gpt-image-1", "1792x1024", 400),
        ("dall-e-3", "1792x1024", 200),
        ("dall-e-3", "1536x1024", 400),
        ("dall-e-2", "512x512", 200),
        ("dall-e-2", "auto", 400),
    ] {
        let body = json!({ "model": model, "prompt": "a lighthouse", "size": size });
        let answer = post(&address, "/v1/images/generations", OPENAI, &body).await;
        assert_eq!(answer.status, status, "{model} {size}: {}", answer.text());
    }
}

#[tokio::test]
async fn chat_tells_its_use_in_a_stream_only_when_asked() {
    let address = provider(&[]).await;
    let mut body =
        json!({ "model": "m", "messages": [{ "role": "user", "content": "x" }], "stream": true });
    let silent = post(&address, "/v1/chat/completions", OPENAI, &body).await.text();
    assert!(!silent.contains("usage") && silent.ends_with("data: [DONE]\n\n"), "{silent}");
    body["stream_options"] = json!({ "include_usage": true });
    let told = post(&address, "/v1/chat/completions", OPENAI, &body).await.text();
    assert!(told.contains("\"usage\":{\"completion_tokens\""), "{told}");
}

#[tokio::test]
async fn gemini_streams_an_array_to_those_who_do_not_ask_for_events() {
    let address = provider(&[]).await;
    let path = "/v1beta/models/g:streamGenerateContent";
    let answer = post(&address, path, GEMINI, &json!({ "contents": [user("plain")] })).await;
    let chunks = answer.json();
    let texts = chunks
        .as_array()
        .unwrap()
        .iter()
        .map(|chunk| chunk["candidates"][0]["content"]["parts"][0]["text"].as_str().unwrap());
    assert_eq!(texts.collect::<String>(), "Hello there, friend.");
}

#[tokio::test]
async fn responses_remembers_what_may_be_referred_to_and_forgets_when_told() {
    let address = provider(&[]).await;
    let path = "/v1/responses";
    let tools = json!([{ "type": "function", "name": "get_weather" }]);
    let mut first = json!({ "model": "m", "input": "tool", "tools": tools });
    let response = post(&address, path, OPENAI, &first).await.json();
    let call = &response["output"][0];
    let output =
        json!({ "type": "function_call_output", "call_id": call["call_id"], "output": "21" });
    let reference = json!({ "type": "item_reference", "id": call["id"] });
    let by_item = json!({ "model": "m", "input": [{ "role": "user", "content": "tool" }, reference, output] });
    let by_response =
        json!({ "model": "m", "input": [output], "previous_response_id": response["id"] });
    for body in [by_item, by_response] {
        let answer = post(&address, path, OPENAI, &body).await;
        assert!(answer.text().contains("1 of 1 say 21: true."), "{}", answer.text());
    }
    first["store"] = false.into();
    let forgotten = post(&address, path, OPENAI, &first).await.json();
    let body = json!({ "model": "m", "input": "x", "previous_response_id": forgotten["id"] });
    assert_eq!(post(&address, path, OPENAI, &body).await.status, 400);
}

#[tokio::test]
async fn the_newest_anthropic_models_refuse_forced_tools_and_thinking() {
    let tools = json!([{ "name": "f", "input_schema": { "type": "object" } }]);
    let body = |model: &str, extra: Value| {
        let mut body = json!({
            "model": model, "max_tokens": 9, "tools": tools,
            "messages": [{ "role": "user", "content": "x" }],
        });
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        body
    };
    let any = json!({ "tool_choice": { "type": "any" } });
    let forced = "type \\\"tool\\\" and \\\"any\\\" are not supported for this model.";
    for model in ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-fable-5-2"] {
        refused("/v1/messages", ANTHROPIC, body(model, any.clone()), 400, forced).await;
        for kind in ["enabled", "disabled"] {
            let thinking = json!({ "thinking": { "type": kind, "budget_tokens": 1024 } });
            refused("/v1/messages", ANTHROPIC, body(model, thinking), 400, "always on").await;
        }
        let prefill = json!({ "messages": [
            { "role": "user", "content": "x" }, { "role": "assistant", "content": "y" },
        ] });
        refused("/v1/messages", ANTHROPIC, body(model, prefill), 400, "final assistant").await;
    }
    let older =
        post(&provider(&[]).await, "/v1/messages", ANTHROPIC, &body("claude-opus-4-1", any)).await;
    assert_eq!(older.status, 200, "{}", older.text());
}

#[tokio::test]
async fn responses_take_async_functions_from_models_that_have_them() {
    let tool = json!({ "type": "function", "name": "get_weather", "async": true, "strict": false,
        "parameters": { "type": "object", "properties": {} } });
    let body =
        |model: &str, input: Value| json!({ "model": model, "input": input, "tools": [tool] });
    refused("/v1/responses", OPENAI, body("gpt-4.1", json!("tool")), 400, "unknown_parameter")
        .await;
    let prompt = json!({ "model": "gpt-6.1-sol", "input": "x", "prompt": { "id": "pmpt_1" } });
    refused("/v1/responses", OPENAI, prompt, 400, "unknown_parameter").await;
    let address = provider(&[]).await;
    let called =
        post(&address, "/v1/responses", OPENAI, &body("gpt-6.1-sol", json!("tool"))).await.json();
    let call = called["output"][0].clone();
    assert_eq!(call["async"], true, "{called}");
    let person = json!({ "role": "user", "content": "x" });
    let later = json!([{ "role": "user", "content": "tool" }, call, person]);
    let answer = post(&address, "/v1/responses", OPENAI, &body("gpt-6.1-sol", later)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let mut waited = call.clone();
    waited.as_object_mut().unwrap().remove("async");
    let unanswered = json!([{ "role": "user", "content": "tool" }, waited, person]);
    refused("/v1/responses", OPENAI, body("gpt-6.1-sol", unanswered), 400, "No tool output found")
        .await;
}
