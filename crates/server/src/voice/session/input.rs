//! The inputs that a voice session waits for.

use aileron_orchestrator::ConversationEvent;
use aileron_transports::upstream::Output;

use crate::voice::client::ClientReceived;
use crate::voice::conversation_queue::JobResult;
use crate::voice::sessions::EndRequest;

/// The next input of a session.
pub(super) enum VoiceInput {
    Event(Option<ConversationEvent>),
    EndRequested(EndRequest),
    Time,
    Done(JobResult),
    Client(ClientReceived),
    Provider(Option<Output>),
}
