//! The OpenAPI 3.1 description of the API, generated from the list of operations and their types.

use std::sync::LazyLock;

use aileron_images::ImageKind;
use axum::Json;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::operation::{AnswerBody, Operation};
use super::{operations, schema};

/// The statuses of every operation: not authenticated, forbidden, timeout, too large, too many, unavailable.
const ALWAYS: [u16; 6] = [401, 403, 408, 413, 429, 503];

static DESCRIPTION: LazyLock<Value> = LazyLock::new(describe);

pub(super) async fn show() -> Json<&'static Value> {
    Json(&DESCRIPTION)
}

fn describe() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    let mut paths = Map::new();
    for operation in operations::all() {
        let described = operation.describe(&mut generator);
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = described;
    }
    let mut schemas = generator.take_definitions(true);
    schemas.insert("Error".to_owned(), schema::error(&mut generator).to_value());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Aileron",
            "summary": "The pipeline for agents that run elsewhere",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "bearer": [] }, {}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
        },
    })
}

impl Operation {
    fn describe(&self, generator: &mut SchemaGenerator) -> Value {
        let mut described = json!({
            "operationId": self.name,
            "summary": self.summary,
            "responses": self.responses(generator),
        });
        let parameters = self.parameters(generator);
        if !parameters.is_empty() {
            described["parameters"] = json!(parameters);
        }
        if let Some(body) = self.body {
            described["requestBody"] =
                json!({ "required": true, "content": content(&body(generator).to_value()) });
        }
        described
    }

    fn parameters(&self, generator: &mut SchemaGenerator) -> Vec<Value> {
        let text = json!({ "type": "string", "minLength": 1 });
        let names = self.path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        let in_path = names
            .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": text }));
        let query = (self.query)(generator).into_iter();
        let query = query.map(|(name, schema)| {
            json!({ "name": name, "in": "query", "required": false, "schema": schema })
        });
        in_path.chain(query).collect()
    }

    fn responses(&self, generator: &mut SchemaGenerator) -> Value {
        let (status, given) = self.success;
        let mut responses = Map::new();
        let mut success = json!({ "description": "done" });
        match given {
            AnswerBody::Nothing => {}
            AnswerBody::Json(given) => success["content"] = content(&given(generator).to_value()),
            AnswerBody::Text(media_type) => {
                success["content"] = json!({ media_type: { "schema": {} } });
            }
            AnswerBody::Image => {
                success["content"] = images();
                responses.insert("304".to_owned(), json!({ "description": "you have it" }));
            }
        }
        responses.insert(status.to_string(), success);
        for status in self.refusals.iter().chain(&ALWAYS) {
            let mut refused = json!({
                "description": "refused; the error says why",
                "content": content(&json!({ "$ref": "#/components/schemas/Error" })),
            });
            if self.handler.is_none() {
                // A chat front end shows the sentence, unless it asks for JSON.
                refused["content"]["text/plain"] = json!({ "schema": { "type": "string" } });
            }
            responses.insert(status.to_string(), refused);
        }
        Value::Object(responses)
    }
}

fn content(schema: &Value) -> Value {
    json!({ "application/json": { "schema": schema } })
}

/// The media types of images.
fn images() -> Value {
    let types = ImageKind::ALL.map(|kind| (kind.content_type().to_owned(), json!({})));
    Value::Object(types.into_iter().collect())
}
