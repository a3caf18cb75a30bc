//! Decodes a reply of Gemini, event by event. Calls come whole.

use aileron_contract::Arguments;
use aileron_contract::text::{FinishReason, ProviderMessage, ReplyEvent, ReplyFault};
use aileron_contract::transport::{Severity, Usage};
use serde_json::Value;

use super::super::fault::{FAULTS, MISTAKE, MISTAKES, UNSIGNED, UNSIGNED_REASON};
use super::super::{NAME, wire};
use crate::lenient;
use crate::text::assembly::ReplyBuilder;
use crate::text::call_ids::CallIds;
use crate::text::fault::{ProviderError, cut_short, unreadable};
use crate::text::protocol::{DecodeStatus, Decoder};
use crate::text::sse::SseEvent;

#[derive(Debug)]
pub(super) struct Receiver {
    draft: ReplyBuilder,
    /// The parts as they came. They are not merged, because some are signed.
    parts: Vec<Value>,
    ending: Option<FinishReason>,
    usage: Usage,
}

impl Receiver {
    pub(super) fn new(names: CallIds) -> Self {
        let draft = ReplyBuilder::new(names);
        Self { draft, parts: Vec::new(), ending: None, usage: Usage::default() }
    }

    fn part(&mut self, part: Value, out: &mut Vec<ReplyEvent>) -> Result<(), ReplyFault> {
        if let Some(call) = part.get("functionCall") {
            self.call(call, out)?;
        }
        let text = part.get("text").and_then(Value::as_str);
        let is_thought = part.get("thought").and_then(Value::as_bool).unwrap_or_default();
        match text {
            Some(text) if is_thought => self.draft.reasoning(text, out),
            Some(text) => self.draft.text(text, out),
            None => {}
        }
        // An empty part without a signature would be refused when it is sent back.
        let says_nothing = text == Some("") && part.get("thoughtSignature").is_none();
        if !says_nothing {
            self.parts.push(part);
        }
        Ok(())
    }

    fn call(&mut self, call: &Value, out: &mut Vec<ReplyEvent>) -> Result<(), ReplyFault> {
        let name = call.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| unreadable("the name of a call", "none"))?;
        let id = call.get("id").and_then(Value::as_str);
        let args = match call.get("args") {
            None | Some(Value::Null) => Arguments::default(),
            Some(args) => args.clone().into(),
        };
        let place = self.draft.begin(id, name, out)?;
        self.draft.complete_with(place, args, out);
        Ok(())
    }

    fn finish(&mut self, candidate: &wire::Candidate) -> Result<(), ReplyFault> {
        let Some(reason) = candidate.finish_reason.as_deref() else { return Ok(()) };
        let (severity, why) = match reason {
            UNSIGNED => (Severity::Fatal, UNSIGNED_REASON),
            mistake if MISTAKES.contains(&mistake) => (Severity::Retry, MISTAKE),
            _ => (Severity::Ignore, ""),
        };
        if severity != Severity::Ignore {
            return Err(ReplyFault {
                severity,
                code: reason.to_owned(),
                message: lenient::excerpt(&candidate.finish_message),
                reason: why,
                retry_after: None,
            });
        }
        self.ending = Some(match reason {
            "STOP" => FinishReason::Answered,
            "MAX_TOKENS" | "CONTINUATION" => FinishReason::Length,
            other => FinishReason::Refused(lenient::excerpt(other)),
        });
        Ok(())
    }
}

impl Decoder for Receiver {
    fn read(
        &mut self,
        frame: &SseEvent,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<DecodeStatus, ReplyFault> {
        let value: Value = serde_json::from_str(&frame.data)
            .map_err(|error| unreadable("a response in JSON", error))?;
        if let Some(report) = value.get("error").map(ProviderError::details) {
            return Err(FAULTS.classify(None, report));
        }
        let response: wire::Response =
            serde_json::from_value(value).map_err(|error| unreadable("a response", error))?;
        if let Some(usage) = &response.usage_metadata {
            self.usage = usage.usage();
        }
        if let Some(reason) = &response.prompt_feedback.block_reason {
            self.ending = Some(FinishReason::Refused(lenient::excerpt(reason)));
        }
        let Some(mut candidate) = response.candidates.into_iter().next() else {
            return Ok(DecodeStatus::More);
        };
        for part in std::mem::take(&mut candidate.content.parts) {
            self.part(part, out)?;
        }
        self.finish(&candidate)?;
        Ok(DecodeStatus::More)
    }

    /// More events may follow the finish reason, so only the end of the stream ends the reply.
    fn end(&mut self, out: &mut Vec<ReplyEvent>) -> Result<(), ReplyFault> {
        let ending = self.ending.take().ok_or_else(|| cut_short("a finish reason"))?;
        let ending = self.draft.settle(ending, out);
        let parts = std::mem::take(&mut self.parts);
        let withheld = matches!(ending, FinishReason::Refused(_));
        let original = (!parts.is_empty() && !withheld)
            .then(|| ProviderMessage::new(NAME, wire::content("model", parts)));
        out.push(self.draft.done(original, ending, std::mem::take(&mut self.usage)));
        Ok(())
    }
}
