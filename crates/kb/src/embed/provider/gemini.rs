//! `POST {base}/models/{model}:batchEmbedContents` of Google's Gemini API.

use serde::{Deserialize, Serialize};

use super::answer::narrow;
use super::{Endpoint, Purpose, Wire};

/// The API takes no more in one request.
const MOST_TEXTS: usize = 100;

#[derive(Debug)]
pub(super) struct Gemini;

#[derive(Serialize)]
struct Body<'a> {
    requests: Vec<Request<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    model: &'a str,
    content: Content<'a>,
    task_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_dimensionality: Option<usize>,
}

#[derive(Serialize)]
struct Content<'a> {
    parts: [Part<'a>; 1],
}

#[derive(Serialize)]
struct Part<'a> {
    text: &'a str,
}

#[derive(Deserialize)]
struct Answer {
    embeddings: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    values: Vec<f64>,
}

impl Wire for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn most_texts(&self) -> usize {
        MOST_TEXTS
    }

    fn path(&self, endpoint: &Endpoint) -> String {
        format!("{}:batchEmbedContents", resource(&endpoint.model))
    }

    fn key_header(&self) -> (&'static str, &'static str) {
        ("x-goog-api-key", "")
    }

    fn body(&self, endpoint: &Endpoint, texts: &[&str], purpose: Purpose) -> Vec<u8> {
        let model = resource(&endpoint.model);
        let request = |text| Request {
            model: &model,
            content: Content { parts: [Part { text }] },
            task_type: match purpose {
                Purpose::Document => "RETRIEVAL_DOCUMENT",
                Purpose::Query => "RETRIEVAL_QUERY",
            },
            output_dimensionality: endpoint.columns.asked(),
        };
        let requests = texts.iter().map(|text| request(*text)).collect();
        serde_json::to_vec(&Body { requests }).unwrap_or_default()
    }

    /// Vectors come in the order of the requests.
    fn read(&self, body: &[u8]) -> Result<Vec<(usize, Vec<f32>)>, serde_json::Error> {
        let answer: Answer = serde_json::from_slice(body)?;
        Ok(answer.embeddings.iter().map(|item| narrow(&item.values)).enumerate().collect())
    }
}

/// The model's name as the API writes it.
fn resource(model: &str) -> String {
    format!("models/{}", model.strip_prefix("models/").unwrap_or(model))
}
