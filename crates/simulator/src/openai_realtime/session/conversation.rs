//! The items of the conversation: added, shown, cut and deleted.

use aileron_contract::CallId;
use serde_json::{Map, Value, json};

use super::OpenaiRealtime;
use crate::control::ObservedEvent;
use crate::live::HandlerOutput;
use crate::openai_realtime::map::{self, ConversationItem};
use crate::openai_realtime::wire::EventRefusal;
use crate::simulated_model::ModelCallResult;

/// The place before the first item.
const ROOT: &str = "root";

impl OpenaiRealtime {
    /// The client adds an item.
    pub(super) fn add(
        &mut self,
        item: Map<String, Value>,
        previous: Option<String>,
        out: &mut HandlerOutput,
    ) -> Result<(), EventRefusal> {
        let id = match item.get("id") {
            Some(Value::String(id)) => id.clone(),
            Some(Value::Null) | None => self.shared.ids.next("item_"),
            Some(other) => return Err(EventRefusal::wrong_type("item.id", "a string", other)),
        };
        if self.entries.iter().any(|entry| entry.id() == id) {
            let message =
                format!("Error adding item: the id '{id}' already exists in the conversation.");
            return Err(EventRefusal::about("item.id", "item_create_duplicate_id", message));
        }
        let entry = map::added(item, id)?;
        self.check_call(&entry)?;
        let at = self.place(previous.as_deref())?;
        self.show_added(&entry, out);
        self.insert(at, entry, out);
        Ok(())
    }

    /// A result must have a call, which must not have one already.
    fn check_call(&self, entry: &ConversationItem) -> Result<(), EventRefusal> {
        if entry.item["type"] != "function_call_output" {
            return Ok(());
        }
        let call_id = entry.item["call_id"].as_str().unwrap_or_default();
        if !self.entries.iter().any(|entry| entry.is_call(call_id)) {
            let message = format!("Tool call ID '{call_id}' not found in conversation.");
            return Err(EventRefusal::about("item.call_id", "invalid_tool_call_id", message));
        }
        let answers = |other: &ConversationItem| {
            other.item["type"] == "function_call_output" && other.item["call_id"] == call_id
        };
        if self.entries.iter().any(answers) {
            let message = format!("Tool call ID '{call_id}' has an output already.");
            return Err(EventRefusal::about("item.call_id", "invalid_tool_call_id", message));
        }
        Ok(())
    }

    fn place(&self, previous: Option<&str>) -> Result<usize, EventRefusal> {
        match previous {
            None => Ok(self.entries.len()),
            Some(ROOT) => Ok(0),
            Some(id) => {
                let at = self.entries.iter().position(|entry| entry.id() == id);
                at.map(|at| at + 1).ok_or_else(|| {
                    let message = format!("Previous item with ID '{id}' not found.");
                    EventRefusal::about("previous_item_id", "item_not_found", message)
                })
            }
        }
    }

    fn show_added(&self, entry: &ConversationItem, out: &mut HandlerOutput) {
        let item = &entry.item;
        match item["type"].as_str() {
            Some("message") => out.show(ObservedEvent::Text {
                role: item["role"].as_str().unwrap_or_default().to_owned(),
                text: entry.words.clone(),
            }),
            Some("function_call_output") => {
                let call_id = item["call_id"].as_str().unwrap_or_default();
                let call = self.entries.iter().find(|entry| entry.is_call(call_id));
                let name = call.and_then(|call| call.item["name"].as_str()).unwrap_or_default();
                if let Ok(id) = CallId::new(call_id) {
                    let result = item["output"].clone();
                    let returned = ModelCallResult { id, name: name.to_owned(), result };
                    out.show(ObservedEvent::Results(vec![returned]));
                }
            }
            _ => {}
        }
    }

    /// Inserts an item and sends both events of the real API.
    pub(super) fn insert(&mut self, at: usize, entry: ConversationItem, out: &mut HandlerOutput) {
        let previous = at.checked_sub(1).and_then(|at| self.entries.get(at));
        let previous = previous.map(|entry| entry.id().to_owned());
        let fields = json!({ "previous_item_id": previous, "item": entry.item });
        self.send("conversation.item.added", fields.clone(), out);
        self.send("conversation.item.done", fields, out);
        self.entries.insert(at, entry);
    }

    pub(super) fn last_id(&self) -> Option<String> {
        self.entries.last().map(|entry| entry.id().to_owned())
    }

    pub(super) fn retrieve(
        &mut self,
        id: &str,
        out: &mut HandlerOutput,
    ) -> Result<(), EventRefusal> {
        let at = self.find(id, "item_retrieve_invalid_item_id")?;
        let item = self.entries[at].item.clone();
        self.send("conversation.item.retrieved", json!({ "item": item }), out);
        Ok(())
    }

    pub(super) fn delete(&mut self, id: &str, out: &mut HandlerOutput) -> Result<(), EventRefusal> {
        let at = self.find(id, "item_delete_invalid_item_id")?;
        self.entries.remove(at);
        self.send("conversation.item.deleted", json!({ "item_id": id }), out);
        Ok(())
    }

    /// Truncates an item to the played audio; the rest of its transcript is dropped.
    pub(super) fn truncate(
        &mut self,
        id: &str,
        content_index: u64,
        audio_end_ms: u64,
        out: &mut HandlerOutput,
    ) -> Result<(), EventRefusal> {
        let at = self.find(id, "item_truncate_invalid_item_id")?;
        let Some(audio_ms) = self.entries[at].audio_ms else {
            let message = "Only model output audio messages can be truncated".to_owned();
            return Err(EventRefusal::about("item_id", "invalid_value", message));
        };
        if content_index != 0 {
            let found = Value::from(content_index);
            return Err(EventRefusal::wrong_value("content_index", &found, "0"));
        }
        if audio_end_ms > audio_ms {
            let message =
                format!("Audio content of {audio_ms}ms is already shorter than {audio_end_ms}ms");
            return Err(EventRefusal::about("audio_end_ms", "invalid_value", message));
        }
        let entry = &mut self.entries[at];
        entry.audio_ms = Some(audio_end_ms);
        entry.words = heard_part(&entry.words, audio_end_ms);
        if let Some(transcript) = entry.item["content"][0].get_mut("transcript") {
            *transcript = Value::Null;
        }
        out.show(ObservedEvent::Truncate { item: id.to_owned(), audio_end_ms });
        let fields = json!({ "item_id": id, "content_index": 0, "audio_end_ms": audio_end_ms });
        self.send("conversation.item.truncated", fields, out);
        Ok(())
    }

    fn find(&self, id: &str, code: &'static str) -> Result<usize, EventRefusal> {
        let at = self.entries.iter().position(|entry| entry.id() == id);
        at.ok_or_else(|| {
            let message = format!("Item with item_id '{id}' not found.");
            EventRefusal::about("item_id", code, message)
        })
    }
}

/// The words within this time.
fn heard_part(words: &str, audio_end_ms: u64) -> String {
    let mut left = audio_end_ms;
    let heard = words.split_whitespace().take_while(|word| {
        let ms = crate::audio::word_ms(word);
        let fits = ms <= left;
        left = left.saturating_sub(ms);
        fits
    });
    heard.collect::<Vec<_>>().join(" ")
}
