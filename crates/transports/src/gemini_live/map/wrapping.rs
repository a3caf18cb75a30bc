//! What stands around audio. A provider puts the same around every piece, so a frame that has it, and
//! base64 within, says what the frame before said with other audio. It is read without its JSON: base64
//! has no character that ends a string or escapes one.

use std::borrow::Cow;

use crate::audio;
use crate::gemini_live::wire::incoming::{Part, ServerContent, ServerMessage};

/// What stood before and after the audio of a frame that carried nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrapping {
    before: Box<[u8]>,
    after: Box<[u8]>,
}

impl Wrapping {
    /// The wrapping of a frame that says this, if it says nothing but one piece of audio.
    pub(super) fn of(frame: &[u8], message: &ServerMessage<'_>) -> Option<Self> {
        let data = only_data(message)?;
        let from = data.as_ptr().addr().checked_sub(frame.as_ptr().addr())?;
        let (before, rest) = frame.split_at_checked(from)?;
        let after = rest.strip_prefix(data.as_bytes())?;
        Some(Self { before: before.into(), after: after.into() })
    }

    /// The audio of a frame that is wrapped so.
    pub(super) fn audio(&self, frame: &[u8]) -> Option<Vec<u8>> {
        let base64 = frame.strip_prefix(&*self.before)?.strip_suffix(&*self.after)?;
        audio::decode(base64).ok()
    }
}

/// The one string of base64 in a message, where it lies in the frame. Whatever else a message can say
/// is named here, so that nothing that is added to it is left out.
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
