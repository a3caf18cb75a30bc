//! Events of the server. Audio stays borrowed from the frame.

use aileron_contract::transport::FrameError;
use serde::Deserialize;

use super::item::{ErrorDetails, Item, RateLimitEntry, Response, Session};
use super::usage::ResponseUsage;
use crate::lenient::{self, Text};

/// One event.
#[derive(Debug)]
pub(crate) enum ServerEvent<'a> {
    Error(ErrorDetails<'a>),
    SessionCreated(Session<'a>),
    SessionUpdated,
    ItemAdded(Item<'a>),
    SpeechStarted,
    SpeechStopped,
    HeardDelta(Words<'a>),
    Heard(Heard<'a>),
    HeardNothing,
    ResponseCreated(Response<'a>),
    ResponseDone(Response<'a>),
    OutputItemAdded(ItemEvent<'a>),
    OutputItemDone(ItemEvent<'a>),
    ArgumentsDelta(CallArguments<'a>),
    ArgumentsDone(CallArguments<'a>),
    AudioDelta(AudioDelta<'a>),
    SpokenDelta(Words<'a>),
    Spoken(Words<'a>),
    RateLimits(Vec<RateLimitEntry<'a>>),
    /// Known, without an effect.
    Passing,
    /// An unknown type.
    Other(String),
}

/// Events that repeat others, or that concern features we do not use.
const PASSING: &[&str] = &[
    "conversation.created",
    "conversation.item.created",
    "conversation.item.deleted",
    "conversation.item.done",
    "conversation.item.input_audio_transcription.segment",
    "conversation.item.retrieved",
    "conversation.item.truncated",
    "input_audio_buffer.cleared",
    "input_audio_buffer.committed",
    "input_audio_buffer.dtmf_event_received",
    "input_audio_buffer.timeout_triggered",
    "mcp_list_tools.completed",
    "mcp_list_tools.failed",
    "mcp_list_tools.in_progress",
    "output_audio_buffer.cleared",
    "output_audio_buffer.started",
    "output_audio_buffer.stopped",
    "response.content_part.added",
    "response.content_part.done",
    "response.mcp_call.completed",
    "response.mcp_call.failed",
    "response.mcp_call.in_progress",
    "response.mcp_call_arguments.delta",
    "response.mcp_call_arguments.done",
    "response.output_audio.done",
    "response.output_text.delta",
    "response.output_text.done",
];

const AUDIO_DELTA: &str = "response.output_audio.delta";

/// How many bytes of a frame are inspected to guess that it is audio.
const GUESS: usize = 160;

/// Parses one frame.
pub(crate) fn read(frame: &[u8]) -> Result<ServerEvent<'_>, FrameError> {
    if let Some(audio) = read_audio(frame) {
        return Ok(ServerEvent::AudioDelta(audio));
    }
    let head: Head<'_> = parse(frame, "an event of OpenAI Realtime")?;
    read_kind(head.kind.as_str(), frame)
}

/// Most frames are audio. A frame that looks like audio is parsed in one pass instead of two.
fn read_audio(frame: &[u8]) -> Option<AudioDelta<'_>> {
    let start = frame.get(..GUESS).unwrap_or(frame);
    let looks_like_it = start.windows(AUDIO_DELTA.len()).any(|part| part == AUDIO_DELTA.as_bytes());
    let audio: AudioDelta<'_> = looks_like_it.then(|| serde_json::from_slice(frame).ok())??;
    (audio.kind.as_str() == AUDIO_DELTA).then_some(audio)
}

fn read_kind<'a>(kind: &str, frame: &'a [u8]) -> Result<ServerEvent<'a>, FrameError> {
    use ServerEvent as E;
    Ok(match kind {
        "error" => E::Error(parse::<ErrorEvent<'_>>(frame, "`error` with its details")?.error),
        "session.created" => {
            E::SessionCreated(parse::<SessionEvent<'_>>(frame, "`session.created`")?.session)
        }
        "session.updated" => E::SessionUpdated,
        "conversation.item.added" => E::ItemAdded(item(frame)?.item),
        "input_audio_buffer.speech_started" => E::SpeechStarted,
        "input_audio_buffer.speech_stopped" => E::SpeechStopped,
        "conversation.item.input_audio_transcription.delta" => E::HeardDelta(words(frame)?),
        "conversation.item.input_audio_transcription.completed" => {
            E::Heard(parse(frame, "a transcription with `transcript`")?)
        }
        "conversation.item.input_audio_transcription.failed" => E::HeardNothing,
        "response.created" => E::ResponseCreated(response(frame)?),
        "response.done" => E::ResponseDone(response(frame)?),
        "response.output_item.added" => E::OutputItemAdded(item(frame)?),
        "response.output_item.done" => E::OutputItemDone(item(frame)?),
        "response.function_call_arguments.delta" => E::ArgumentsDelta(arguments(frame)?),
        "response.function_call_arguments.done" => E::ArgumentsDone(arguments(frame)?),
        // The names without `output` are those of the preview, which some servers still use.
        AUDIO_DELTA | "response.audio.delta" => {
            E::AudioDelta(parse(frame, "audio with `item_id` and `delta`")?)
        }
        "response.output_audio_transcript.delta" | "response.audio_transcript.delta" => {
            E::SpokenDelta(words(frame)?)
        }
        "response.output_audio_transcript.done" | "response.audio_transcript.done" => {
            E::Spoken(words(frame)?)
        }
        "rate_limits.updated" => E::RateLimits(
            parse::<RateLimitsEvent<'_>>(frame, "a list of `rate_limits`")?.rate_limits,
        ),
        kind if PASSING.contains(&kind) => E::Passing,
        other => E::Other(lenient::excerpt(other)),
    })
}

fn parse<'a, T: Deserialize<'a>>(frame: &'a [u8], expected: &'static str) -> Result<T, FrameError> {
    let read = serde_json::from_slice(frame);
    read.map_err(|error| FrameError::new(expected, lenient::excerpt(&error.to_string())))
}

fn item(frame: &[u8]) -> Result<ItemEvent<'_>, FrameError> {
    parse(frame, "an event with its `item`")
}

fn response(frame: &[u8]) -> Result<Response<'_>, FrameError> {
    parse::<ResponseEvent<'_>>(frame, "an event with its `response`").map(|event| event.response)
}

fn words(frame: &[u8]) -> Result<Words<'_>, FrameError> {
    parse(frame, "words as `delta` or `transcript`")
}

fn arguments(frame: &[u8]) -> Result<CallArguments<'_>, FrameError> {
    parse(frame, "arguments with `item_id`")
}

#[derive(Debug, Deserialize)]
struct Head<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
}

#[derive(Debug, Deserialize)]
struct ErrorEvent<'a> {
    #[serde(borrow)]
    error: ErrorDetails<'a>,
}

#[derive(Debug, Deserialize)]
struct SessionEvent<'a> {
    #[serde(borrow, default, deserialize_with = "lenient::nullable")]
    session: Session<'a>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ItemEvent<'a> {
    #[serde(borrow, default, deserialize_with = "lenient::nullable")]
    pub(crate) response_id: Text<'a>,
    #[serde(borrow)]
    pub(crate) item: Item<'a>,
}

#[derive(Debug, Deserialize)]
struct ResponseEvent<'a> {
    #[serde(borrow)]
    response: Response<'a>,
}

#[derive(Debug, Deserialize)]
struct RateLimitsEvent<'a> {
    #[serde(borrow)]
    rate_limits: Vec<RateLimitEntry<'a>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct AudioDelta<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow, default, deserialize_with = "lenient::nullable")]
    pub(crate) response_id: Text<'a>,
    #[serde(borrow)]
    pub(crate) item_id: Text<'a>,
    #[serde(default, deserialize_with = "lenient::count")]
    pub(crate) content_index: u64,
    #[serde(borrow)]
    pub(crate) delta: Text<'a>,
}

/// A transcript of either side: `delta` is a fragment, `transcript` is complete.
#[derive(Debug, Deserialize)]
pub(crate) struct Words<'a> {
    #[serde(borrow, default, deserialize_with = "lenient::nullable")]
    pub(crate) response_id: Text<'a>,
    #[serde(borrow, alias = "transcript")]
    pub(crate) delta: Text<'a>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Heard<'a> {
    #[serde(borrow)]
    pub(crate) transcript: Text<'a>,
    pub(crate) usage: Option<ResponseUsage>,
}

/// Arguments of a call: `delta` is a fragment, `arguments` is complete.
#[derive(Debug, Deserialize)]
pub(crate) struct CallArguments<'a> {
    #[serde(borrow, default, deserialize_with = "lenient::nullable")]
    pub(crate) response_id: Text<'a>,
    #[serde(borrow)]
    pub(crate) item_id: Text<'a>,
    #[serde(borrow, default, deserialize_with = "lenient::nullable")]
    pub(crate) call_id: Text<'a>,
    #[serde(borrow, default, deserialize_with = "lenient::nullable")]
    pub(crate) name: Text<'a>,
    #[serde(borrow, default, alias = "arguments", deserialize_with = "lenient::nullable")]
    pub(crate) delta: Text<'a>,
}
