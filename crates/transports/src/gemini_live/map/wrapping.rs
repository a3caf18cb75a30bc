//! The JSON around audio. A provider puts the same JSON around every piece of audio, so a frame with equal
//! JSON and base64 within differs from the previous one only by the audio. Such a frame is read without
//! parsing: base64 has no character that ends or escapes a string.

use std::borrow::Cow;

use crate::audio;
use crate::gemini_live::wire::incoming::{Part, ServerContent, ServerMessage};

/// The bytes before and after the audio of a frame with audio only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrapping {
    before: Box<[u8]>,
    after: Box<[u8]>,
}

impl Wrapping {
    /// The wrapping of a frame, if the frame contains one piece of audio only.
    pub(super) fn of(frame: &[u8], message: &ServerMessage<'_>) -> Option<Self> {
        let data = only_data(message)?;
        let from = data.as_ptr().addr().checked_sub(frame.as_ptr().addr())?;
        let (before, rest) = frame.split_at_checked(from)?;
        let after = rest.strip_prefix(data.as_bytes())?;
        Some(Self { before: before.into(), after: after.into() })
    }

    /// The audio of a frame with this wrapping.
    pub(super) fn audio(&self, frame: &[u8]) -> Option<Vec<u8>> {
        let base64 = frame.strip_prefix(&*self.before)?.strip_suffix(&*self.after)?;
        audio::decode(base64).ok()
    }
}

/// The only base64 string of a message, borrowed from the frame. All other fields of a message are named
/// here, so that a new field is not missed.
fn only_data<'a>(message: &'a ServerMessage<'_>) -> Option<&'a str> {
    let ServerMessage {
        server_content: Some(content),
        setup_complete: None,
        tool_call: None,
        cancellation: None,
        go_away: None,
        resumption: None,
        voice_activity: None,
        usage: None,
        unknown,
    } = message
    else {
        return None;
    };
    let ServerContent {
        model_turn: Some(turn),
        input_transcription: None,
        interim_input_transcription: None,
        output_transcription: None,
        interrupted: false,
        generation_complete: false,
        turn_complete: false,
        turn_complete_reason: None,
        interaction_status: None,
    } = content
    else {
        return None;
    };
    let [Part { inline_data: Some(blob), function_call: None }] = turn.parts.as_slice() else {
        return None;
    };
    match &blob.data.0 {
        Cow::Borrowed(data) if blob.is_audio() && unknown.is_empty() => Some(data),
        _ => None,
    }
}
