//! The results that the model received for each of its calls: as results, or as text if it did not
//! wait.

use std::collections::BTreeMap;

use aileron_contract::{CallId, ToolResponse};
use aileron_transports::model_view;
use serde_json::{Value, json};

use super::names::Names;

/// The beginning of a text that carries a result.
const LATE: &str = "[This is not from the person.";

/// The continuation of such a text for an earlier result, which a model receives when a
/// conversation is continued.
const EARLIER: &str = " Earlier in this conversation";

/// The results by call, in order.
#[derive(Debug, Default)]
pub(in crate::conformance) struct Views(BTreeMap<String, Vec<Value>>);

impl Views {
    /// An answer that the model is to be given.
    pub(in crate::conformance) fn answer(&mut self, call: &CallId, answer: &ToolResponse) {
        self.add(call.as_str(), model_view(answer));
    }

    /// A result sent to a provider: an object, or JSON as text.
    pub(in crate::conformance) fn result(&mut self, call: &CallId, result: &Value) {
        let read = result.as_str().and_then(|text| serde_json::from_str(text).ok());
        self.add(call.as_str(), read.unwrap_or_else(|| result.clone()));
    }

    /// Words that a provider was sent, if they carry results.
    pub(in crate::conformance) fn words(&mut self, text: &str) {
        for (call, view) in late(text) {
            self.add(&call, view);
        }
    }

    /// Cancelled calls need no answer, so that there may be one or not.
    fn add(&mut self, call: &str, view: Value) {
        let bare = !view.as_object().is_some_and(|fields| {
            fields.len() == 1 && (fields.contains_key("output") || fields.contains_key("error"))
        });
        let view = if bare { json!({ "output": view }) } else { view };
        if view["error"]["code"] != "CANCELLED" {
            self.0.entry(call.to_owned()).or_default().push(view);
        }
    }

    pub(super) fn lines(&self, names: &mut Names) -> Vec<String> {
        let mut lines = Vec::new();
        for (call, views) in &self.0 {
            let call = names.text(call.clone());
            lines.extend(views.iter().map(|view| format!("{call} {view}")));
        }
        lines.sort();
        lines
    }
}

/// The results that words carry, by their calls.
pub(in crate::conformance) fn late(text: &str) -> Vec<(String, Value)> {
    let parts = text.split(LATE).skip(1).filter(|part| !part.starts_with(EARLIER));
    parts
        .filter_map(|part| {
            let (_, rest) = part.split_once(" Call: ")?;
            let (call, rest) = rest.split_once(". Result: ")?;
            let mut read = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
            Some((call.to_owned(), read.next()?.ok()?))
        })
        .collect()
}
