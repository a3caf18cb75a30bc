//! The output of the active response: messages word by word, and calls.

use aileron_contract::CallId;
use serde_json::{Value, json};

use super::OpenaiRealtime;
use super::response::{ActiveResponse, SimulatedResponseEnd, SpokenMessage};
use crate::audio;
use crate::delivery::OutputChunk;
use crate::fault::InjectedFault;
use crate::live::HandlerOutput;
use crate::openai_realtime::map::{self, ConversationItem};
use crate::simulated_model::{ModelCall, PlannedCall};
use crate::speech::SpokenPiece;

impl OpenaiRealtime {
    pub(super) fn put(&mut self, piece: OutputChunk, out: &mut HandlerOutput) {
        match piece {
            // Reasoning is not shown by this protocol, and a reply is one turn.
            OutputChunk::Thought(_) | OutputChunk::Between => {}
            OutputChunk::Spoken(spoken) => self.say(&spoken, out),
            OutputChunk::Calls(calls) => {
                self.close_message("completed", out);
                self.call(calls, out);
            }
            OutputChunk::Generated => self.close_message("completed", out),
            OutputChunk::End => self.finish(SimulatedResponseEnd::Completed, out),
        }
    }

    fn say(&mut self, SpokenPiece { text: word, pcm }: &SpokenPiece, out: &mut HandlerOutput) {
        self.open_message(out);
        let Some(active) = &mut self.active else { return };
        let speaks = active.wanted.speaks;
        let Some(message) = &mut active.message else { return };
        message.text.push_str(word);
        active.said += word.len();
        let ms = if speaks { audio::pcm_ms(pcm.len(), audio::RATE) } else { 0 };
        message.ms += ms;
        let fields = |delta: String| {
            json!({
                "response_id": active.id, "item_id": message.id,
                "output_index": active.output.len(), "content_index": 0, "delta": delta,
            })
        };
        let (text, sound) = (fields(word.to_owned()), fields(audio::encode(pcm)));
        if speaks {
            self.config.was_heard = true;
            self.send("response.output_audio_transcript.delta", text, out);
            self.send("response.output_audio.delta", sound, out);
        } else {
            self.send("response.output_text.delta", text, out);
        }
        self.delivery.sounds_for(ms);
    }

    /// Begins a message if none is in progress.
    fn open_message(&mut self, out: &mut HandlerOutput) {
        let id = self.shared.ids.next("item_");
        let Some(active) = &mut self.active else { return };
        if active.message.is_some() {
            return;
        }
        active.message = Some(SpokenMessage { id: id.clone(), ..SpokenMessage::default() });
        let part = match active.wanted.speaks {
            true => json!({ "type": "audio", "transcript": "" }),
            false => json!({ "type": "text", "text": "" }),
        };
        let item = map::spoken_message(&id, "in_progress", Vec::new());
        self.announce(&item, out);
        let mut fields = self.place_of(&id);
        fields["content_index"] = 0.into();
        fields["part"] = part;
        self.send("response.content_part.added", fields, out);
    }

    /// Sends the event that an item of the response begins.
    fn announce(&mut self, item: &Value, out: &mut HandlerOutput) {
        let fields = self.with_item(item);
        self.send("response.output_item.added", fields, out);
        if self.active.as_ref().is_some_and(ActiveResponse::in_conversation) {
            let added = json!({ "previous_item_id": self.last_id(), "item": item });
            self.send("conversation.item.added", added, out);
        }
    }

    /// Sends the event that an item of the response is complete, and stores it.
    fn complete(&mut self, entry: ConversationItem, out: &mut HandlerOutput) {
        let fields = self.with_item(&entry.item);
        self.send("response.output_item.done", fields, out);
        let previous = self.last_id();
        let Some(active) = &mut self.active else { return };
        active.output.push(entry.item.clone());
        if active.in_conversation() {
            let done = json!({ "previous_item_id": previous, "item": entry.item });
            self.send("conversation.item.done", done, out);
            self.entries.push(entry);
        }
    }

    pub(super) fn close_message(&mut self, status: &str, out: &mut HandlerOutput) {
        let Some(active) = &mut self.active else { return };
        let speaks = active.wanted.speaks;
        let Some(message) = active.message.take() else { return };
        let place = self.place_of(&message.id);
        let with = |extra: Value| {
            let mut fields = place.clone();
            fields["content_index"] = 0.into();
            for (name, value) in extra.as_object().into_iter().flatten() {
                fields[name] = value.clone();
            }
            fields
        };
        let text = message.text.trim().to_owned();
        let (part, content) = if speaks {
            self.send("response.output_audio.done", with(json!({})), out);
            let done = with(json!({ "transcript": text }));
            self.send("response.output_audio_transcript.done", done, out);
            ("audio", json!({ "type": "output_audio", "transcript": text }))
        } else {
            self.send("response.output_text.done", with(json!({ "text": text })), out);
            ("text", json!({ "type": "output_text", "text": text }))
        };
        let mut shown = content.clone();
        shown["type"] = part.into();
        self.send("response.content_part.done", with(json!({ "part": shown })), out);
        let item = map::spoken_message(&message.id, status, vec![content]);
        let audio_ms = speaks.then_some(message.ms);
        self.complete(ConversationItem { item, words: text, audio_ms }, out);
    }

    fn call(&mut self, asked: Vec<PlannedCall>, out: &mut HandlerOutput) {
        let begun = out.frames.len();
        for asked in asked {
            let made_up = || CallId::new(self.shared.ids.next("call_")).ok();
            let Some(id) = asked.id.or_else(made_up) else { continue };
            let call = ModelCall { id, name: asked.name, args: asked.args };
            self.one_call(&call, out);
            if self.shared.faults.has(InjectedFault::DuplicateCall) {
                self.one_call(&call, out);
            }
        }
        let done =
            out.frames[begun..].iter().filter(|event| event["type"] == "response.output_item.done");
        self.last_calls = done.cloned().collect();
    }

    fn one_call(&mut self, call: &ModelCall, out: &mut HandlerOutput) {
        let arguments = Value::Object(call.args.clone()).to_string();
        let id = self.shared.ids.next("item_");
        self.announce(&map::function_call(&id, "in_progress", call, ""), out);
        let mut place = self.place_of(&id);
        place["call_id"] = call.id.as_str().into();
        for piece in map::pieces(&arguments) {
            let mut fields = place.clone();
            fields["delta"] = piece.into();
            self.send("response.function_call_arguments.delta", fields, out);
        }
        place["name"] = call.name.as_str().into();
        place["arguments"] = arguments.as_str().into();
        self.send("response.function_call_arguments.done", place, out);
        let item = map::function_call(&id, "completed", call, &arguments);
        self.complete(ConversationItem::new(item, String::new()), out);
    }

    fn place_of(&self, item_id: &str) -> Value {
        let (id, at) =
            self.active.as_ref().map_or(("", 0), |active| (&active.id, active.output.len()));
        json!({ "response_id": id, "item_id": item_id, "output_index": at })
    }

    fn with_item(&self, item: &Value) -> Value {
        let (id, at) =
            self.active.as_ref().map_or(("", 0), |active| (&active.id, active.output.len()));
        json!({ "response_id": id, "output_index": at, "item": item })
    }
}
