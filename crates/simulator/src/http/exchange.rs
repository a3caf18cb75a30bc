//! A request and a reply, independent of a provider's format.

use aileron_contract::CallId;
use axum::http::StatusCode;
use serde_json::{Map, Value};

use crate::simulated_model::{ModelAction, ModelInput};

/// A parsed request.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProviderRequest {
    pub(crate) scene: ModelInput,
    pub(crate) model: String,
    pub(crate) delivery: Delivery,
    pub(crate) thoughts: Thoughts,
    /// The signature of the thoughts with which every reply begins, of a model that always thinks.
    pub(crate) signature: Option<String>,
    /// Functions whose output may follow in a later request.
    pub(crate) asynchronous: Vec<String>,
    /// Whether the stream ends with token usage, if that is optional.
    pub(crate) usage_wanted: bool,
    /// The client asked not to store the reply.
    pub(crate) forgotten: bool,
    /// The client requested an image.
    pub(crate) picture: bool,
}

/// How the reply is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Delivery {
    #[default]
    Whole,
    Events,
    /// One JSON array that arrives piece by piece.
    Array,
}

/// Whether the reasoning is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Thoughts {
    Shown,
    #[default]
    Hidden,
}

/// The model's reply.
#[derive(Debug, Clone)]
pub(crate) struct ModelReply {
    /// The unique prefix of every id in the reply.
    pub(crate) stem: String,
    pub(crate) parts: Vec<SimulatedPart>,
    pub(crate) ending: ReplyEnding,
    pub(crate) input_tokens: usize,
    pub(crate) output_tokens: usize,
}

/// How a reply ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReplyEnding {
    Answered,
    Calls,
    /// The provider withholds the answer.
    Refused,
}

/// A part of a reply.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SimulatedPart {
    Thought(String),
    Text(String),
    Call { id: CallId, name: String, args: Map<String, Value> },
    Picture { png: Vec<u8> },
}

impl ModelReply {
    /// The actions up to the first calls, whose results the model awaits.
    pub(crate) fn new(stem: String, question: &ProviderRequest, steps: Vec<ModelAction>) -> Self {
        let mut parts = Vec::new();
        for step in steps {
            match step {
                ModelAction::Think(text) if question.thoughts == Thoughts::Shown => {
                    parts.push(SimulatedPart::Thought(text));
                }
                ModelAction::Think(_) => {}
                ModelAction::Say(text) => parts.push(SimulatedPart::Text(text)),
                ModelAction::Call(calls) if calls.is_empty() => {}
                ModelAction::Call(calls) => {
                    let numbered = calls.into_iter().enumerate();
                    parts.extend(numbered.map(|(at, call)| named(&stem, at, call)));
                    break;
                }
            }
        }
        Self::of_parts(stem, question, parts)
    }

    pub(crate) fn of_parts(
        stem: String,
        question: &ProviderRequest,
        parts: Vec<SimulatedPart>,
    ) -> Self {
        let calls = parts.iter().any(|part| matches!(part, SimulatedPart::Call { .. }));
        let ending = if calls { ReplyEnding::Calls } else { ReplyEnding::Answered };
        let output_tokens = parts.iter().map(SimulatedPart::tokens).sum();
        Self { stem, parts, ending, input_tokens: question.tokens(), output_tokens }
    }

    /// The same reply, withheld.
    pub(crate) fn refused(self) -> Self {
        Self { parts: Vec::new(), ending: ReplyEnding::Refused, output_tokens: 0, ..self }
    }

    pub(crate) fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            SimulatedPart::Text(text) => Some(text.as_str()),
            SimulatedPart::Thought(_)
            | SimulatedPart::Call { .. }
            | SimulatedPart::Picture { .. } => None,
        });
        texts.collect()
    }
}

fn named(stem: &str, at: usize, call: crate::simulated_model::PlannedCall) -> SimulatedPart {
    let made_up = || CallId::new(format!("call_{stem}_{at}"));
    let id = call.id.map_or_else(made_up, Ok);
    match id {
        Ok(id) => SimulatedPart::Call { id, name: call.name, args: call.args },
        Err(error) => SimulatedPart::Text(format!("a call could not be named: {error}")),
    }
}

impl SimulatedPart {
    fn tokens(&self) -> usize {
        match self {
            Self::Thought(text) | Self::Text(text) => tokens(text.len()),
            Self::Call { name, args, .. } => tokens(name.len() + arguments(args).len()),
            Self::Picture { png } => tokens(png.len()),
        }
    }
}

impl ProviderRequest {
    fn tokens(&self) -> usize {
        let declared = self.scene.tools.iter().map(|tool| {
            tool.name.len() + tool.description.len() + tool.parameters.to_string().len()
        });
        let items = self.scene.items.iter().map(|item| format!("{item:?}").len());
        tokens(self.scene.instructions.len() + declared.sum::<usize>() + items.sum::<usize>())
    }
}

/// An estimate: four bytes are about one token.
fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// Arguments as the text that some protocols send.
pub(crate) fn arguments(args: &Map<String, Value>) -> String {
    serde_json::to_string(args).unwrap_or_default()
}

/// The chunks of a streamed text: words with the space before them.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    let mut cuts: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
    cuts.push(text.len());
    let mut from = 0;
    let mut pieces = Vec::new();
    for cut in cuts {
        if cut > from {
            pieces.push(&text[from..cut]);
            from = cut;
        }
    }
    pieces
}

/// The chunks of streamed arguments, cut anywhere between characters.
pub(crate) fn fragments(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(9).map(|chunk| chunk.iter().collect()).collect()
}

/// Why a request is not answered, for the provider's error body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RequestRefusal {
    pub(crate) status: StatusCode,
    /// The provider's error code, if it is not the default of the status.
    pub(crate) code: Option<&'static str>,
    /// The parameter of the request.
    pub(crate) param: Option<String>,
    pub(crate) message: String,
    /// Seconds to wait.
    pub(crate) retry_after: Option<u32>,
}

impl RequestRefusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, code: None, param: None, message: message.into(), retry_after: None }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn unauthenticated(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, message)
    }

    pub(crate) fn at(self, param: impl Into<String>) -> Self {
        Self { param: Some(param.into()), ..self }
    }

    pub(crate) fn code(self, code: &'static str) -> Self {
        Self { code: Some(code), ..self }
    }
}
