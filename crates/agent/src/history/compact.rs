//! Compaction: the part of a history that fits the model's context window.
//!
//! The rule, in this order, each step only as much as needed, the oldest first:
//! 1. Reasoning of earlier turns is omitted where the provider's original message is not stored.
//! 2. Results of earlier turns are replaced by a note.
//! 3. Whole earlier turns are omitted; the instructions say how many.
//! 4. Results of the current turn, except those of its last message, are replaced by a note.
//!
//! The size is estimated at four characters a token. The same history and window give the same messages. A call
//! is never given without its result: both stay, or their turn is omitted.

use aileron_contract::text::{ChatMessage, ReplyPart, ToolResultMessage};
use aileron_contract::{ToolResponse, envelope::Meta, tokens};
use serde_json::json;

use super::LoggedMessage;

/// The messages for the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CompactedHistory {
    pub(crate) messages: Vec<ChatMessage>,
    /// How many turns were omitted.
    pub(crate) turns_left_out: usize,
    /// The estimated tokens of the messages.
    pub(crate) tokens: usize,
}

const TURNS_LEFT_OUT: &str = "turns of this conversation were left out to save room. Ask the person if \
something said there is needed.";

impl CompactedHistory {
    /// A sentence for the instructions, if turns were omitted.
    pub(crate) fn left_out(&self) -> Option<String> {
        let count = self.turns_left_out;
        (count > 0).then(|| format!("The first {count} {TURNS_LEFT_OUT}"))
    }
}

const LEFT_OUT: &str = "this result was left out to save room; make the call again if it is needed";

/// A message with its size.
struct MeasuredMessage {
    turn: u64,
    message: ChatMessage,
    tokens: usize,
}

/// The messages of a history that fit into so many tokens.
pub(crate) fn compact(said: &[LoggedMessage], window_tokens: usize) -> CompactedHistory {
    let mut all: Vec<_> = said.iter().map(weighed).collect();
    let current = all.last().map_or(0, |last| last.turn);
    let mut total: usize = all.iter().map(|one| one.tokens).sum();
    let last = all.len().saturating_sub(1);
    shrink(&mut all, &mut total, window_tokens, |_, one| one.turn != current, without_reasoning);
    shrink(&mut all, &mut total, window_tokens, |_, one| one.turn != current, without_results);
    let turns_left_out = omit_turns(&mut all, &mut total, window_tokens, current);
    let last = last.saturating_sub(said.len() - all.len());
    shrink(&mut all, &mut total, window_tokens, |at, _| at != last, without_results);
    let messages = all.into_iter().map(|one| one.message).collect();
    CompactedHistory { messages, turns_left_out, tokens: total }
}

fn weighed(said: &LoggedMessage) -> MeasuredMessage {
    let tokens = tokens(&said.message);
    MeasuredMessage { turn: said.turn, message: said.message.clone(), tokens }
}

/// Replaces messages, the oldest first, until the rest fits.
fn shrink(
    all: &mut [MeasuredMessage],
    total: &mut usize,
    most: usize,
    may: impl Fn(usize, &MeasuredMessage) -> bool,
    lighter: fn(&ChatMessage) -> Option<ChatMessage>,
) {
    for (at, one) in all.iter_mut().enumerate() {
        if *total <= most {
            return;
        }
        if !may(at, one) {
            continue;
        }
        let Some(message) = lighter(&one.message) else { continue };
        let after = tokens(&message);
        if after < one.tokens {
            *total -= one.tokens - after;
            (one.message, one.tokens) = (message, after);
        }
    }
}

/// Omits whole turns, the oldest first, until the rest fits.
fn omit_turns(
    all: &mut Vec<MeasuredMessage>,
    total: &mut usize,
    most: usize,
    current: u64,
) -> usize {
    let mut count = 0;
    while *total > most {
        let Some(oldest) = all.first().map(|one| one.turn).filter(|turn| *turn != current) else {
            break;
        };
        let gone = all.iter().take_while(|one| one.turn == oldest).count();
        *total -= all.drain(..gone).map(|one| one.tokens).sum::<usize>();
        count += 1;
    }
    count
}

fn without_reasoning(message: &ChatMessage) -> Option<ChatMessage> {
    let ChatMessage::Model { parts, original: None } = message else { return None };
    let is_said = |part: &&ReplyPart| !matches!(part, ReplyPart::Reasoning { .. });
    let parts = parts.iter().filter(is_said).cloned().collect();
    Some(ChatMessage::Model { parts, original: None })
}

fn without_results(message: &ChatMessage) -> Option<ChatMessage> {
    match message {
        ChatMessage::Results { answers } => {
            Some(ChatMessage::Results { answers: answers.iter().map(noted).collect() })
        }
        ChatMessage::Late { answer } => Some(ChatMessage::Late { answer: noted(answer) }),
        ChatMessage::Person { .. } | ChatMessage::Model { .. } => None,
    }
}

/// The result with a note in place of its data. An error stays.
fn noted(answer: &ToolResultMessage) -> ToolResultMessage {
    let response = match &answer.response {
        ToolResponse::Success { meta, .. } => ToolResponse::Success {
            data: json!({ "note": LEFT_OUT }),
            intents: Vec::new(),
            meta: Meta { truncated: true, ..meta.clone() },
        },
        failure @ ToolResponse::Failure { .. } => failure.clone(),
    };
    ToolResultMessage { response, ..answer.clone() }
}

fn tokens(message: &ChatMessage) -> usize {
    tokens::of_characters(characters(message))
}

fn count(text: &str) -> usize {
    text.chars().count()
}

fn characters(message: &ChatMessage) -> usize {
    match message {
        ChatMessage::Person { text } => count(text),
        ChatMessage::Model { original: Some(original), .. } => count(&original.content.to_string()),
        ChatMessage::Model { parts, .. } => parts.iter().map(part).sum(),
        ChatMessage::Results { answers } => answers.iter().map(answer).sum(),
        ChatMessage::Late { answer: late } => answer(late),
    }
}

fn part(part: &ReplyPart) -> usize {
    match part {
        ReplyPart::Text { text } | ReplyPart::Reasoning { text } => count(text),
        ReplyPart::Call { call } => {
            call.tool_id.len() + serde_json::to_string(&call.args).map_or(0, |args| count(&args))
        }
    }
}

fn answer(answer: &ToolResultMessage) -> usize {
    answer.tool_id.len()
        + match &answer.response {
            ToolResponse::Success { data, .. } => count(&data.to_string()),
            ToolResponse::Failure { error, .. } => {
                serde_json::to_string(error).map_or(0, |error| count(&error))
            }
        }
}
