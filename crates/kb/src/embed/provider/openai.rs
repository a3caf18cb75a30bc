//! `POST {base}/embeddings`, as OpenAI defined it and others took it up.

use serde::{Deserialize, Serialize};

use super::answer::narrow;
use super::{Endpoint, Purpose, Wire};

/// OpenAI takes 2,048; small servers work through a request in one piece and hold it
/// in memory, and larger batches gain little.
const MOST_TEXTS: usize = 128;

#[derive(Debug)]
pub(super) struct OpenAi;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    input: &'a [&'a str],
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f64>,
}

impl Wire for OpenAi {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn most_texts(&self) -> usize {
        MOST_TEXTS
    }

    fn path(&self, _: &Endpoint) -> String {
        "embeddings".into()
    }

    fn key_header(&self) -> (&'static str, &'static str) {
        ("authorization", "Bearer ")
    }

    fn body(&self, endpoint: &Endpoint, texts: &[&str], _: Purpose) -> Vec<u8> {
        let body =
            Body { model: &endpoint.model, input: texts, dimensions: endpoint.columns.asked() };
        serde_json::to_vec(&body).unwrap_or_default()
    }

    fn read(&self, body: &[u8]) -> Result<Vec<(usize, Vec<f32>)>, serde_json::Error> {
        let answer: Answer = serde_json::from_slice(body)?;
        Ok(answer.data.iter().map(|item| (item.index, narrow(&item.embedding))).collect())
    }
}
