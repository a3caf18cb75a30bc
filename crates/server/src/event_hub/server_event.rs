//! The events of all conversations, in the small form that the event stream sends.

use std::sync::OnceLock;

use aileron_contract::audit::TrailStep;
use aileron_contract::{CallId, ConversationId, Mode, Outcome, TaskStatus, ToolResponse, UserId};
use aileron_orchestrator::state::{EndReason, StateEffect};
use aileron_orchestrator::token::id_of;
use aileron_orchestrator::{AnswerChannel, ConfirmationOutcome, ConversationEvent, InputKind};
use serde_json::{Value, json};

/// One event, with its place in the stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ServerEvent {
    pub(crate) seq: u64,
    /// Milliseconds since the Unix epoch.
    pub(crate) time: u64,
    /// The conversation and its person; `None` for an event of the whole server.
    pub(crate) conversation: Option<(ConversationId, Option<UserId>)>,
    pub(crate) content: EventContent,
    /// The event as JSON, from its first reader on.
    json: OnceLock<String>,
}

/// The content of an event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum EventContent {
    ConversationBegan {
        mode: Mode,
    },
    ConversationMoved {
        mode: Mode,
    },
    ConversationEnded {
        reason: EndReason,
    },
    TurnBegan {
        turn: u64,
        mode: Mode,
        input: InputKind,
    },
    /// A reply of the model is complete.
    TurnEnded {
        turn: u64,
    },
    ModelBegan {
        turn: u64,
    },
    ModelEnded {
        turn: u64,
    },
    CallDecided {
        call_id: CallId,
        tool: String,
        turn: u64,
        trail: Vec<TrailStep>,
    },
    CallStarted {
        call_id: CallId,
        tool: String,
    },
    CallProgress {
        call_id: CallId,
        update: Value,
    },
    CallPartial {
        call_id: CallId,
        index: u64,
        data: Value,
    },
    /// A call became a task, or a task has ended.
    Task {
        task_id: String,
        call_id: CallId,
        tool: String,
        status: TaskStatus,
    },
    CallAnswered {
        call_id: CallId,
        tool: String,
        outcome: Outcome,
        duration: u64,
        error: Option<&'static str>,
    },
    ConfirmationRequested {
        id: String,
        tool: String,
        expires: u64,
    },
    ConfirmationClosed {
        id: String,
        how: ConfirmationOutcome,
        channel: AnswerChannel,
    },
    Blocked {
        until: u64,
    },
    Unblocked {
        user: UserId,
    },
    RegistryLoaded {
        version: String,
    },
}

/// Progress updates above this size are left out.
const MAX_PROGRESS_BYTES: usize = 2048;

impl EventContent {
    /// The content of a conversation's event; `None` if the stream does not send it.
    pub(crate) fn of(event: &ConversationEvent) -> Option<Self> {
        Some(match event {
            ConversationEvent::Began { mode } => Self::ConversationBegan { mode: *mode },
            ConversationEvent::ModeChanged { mode } => Self::ConversationMoved { mode: *mode },
            ConversationEvent::Ended { reason } => Self::ConversationEnded { reason: *reason },
            ConversationEvent::TurnBegan { turn, mode, input } => {
                Self::TurnBegan { turn: *turn, mode: *mode, input: *input }
            }
            ConversationEvent::Decided(decided) => Self::CallDecided {
                call_id: decided.call_id.clone(),
                tool: decided.tool.clone(),
                turn: decided.turn,
                trail: decided.trail.clone(),
            },
            ConversationEvent::Started { call_id, tool } => {
                Self::CallStarted { call_id: call_id.clone(), tool: tool.clone() }
            }
            ConversationEvent::Progress { call_id, update } => {
                let fits = update.to_string().len() <= MAX_PROGRESS_BYTES;
                let update = if fits { update.clone() } else { Value::Null };
                Self::CallProgress { call_id: call_id.clone(), update }
            }
            ConversationEvent::Partial { call_id, index, data } => {
                Self::CallPartial { call_id: call_id.clone(), index: *index, data: data.clone() }
            }
            ConversationEvent::Task { task_id, call_id, tool, status } => Self::Task {
                task_id: task_id.clone(),
                call_id: call_id.clone(),
                tool: tool.clone(),
                status: *status,
            },
            ConversationEvent::Answered { outcome, answer } => answered(outcome, answer),
            ConversationEvent::ConfirmationRequested(request) => Self::ConfirmationRequested {
                id: id_of(&request.token).unwrap_or_default().to_owned(),
                tool: request.tool.to_string(),
                expires: request.expires,
            },
            ConversationEvent::ConfirmationClosed { token_id, how, channel } => {
                Self::ConfirmationClosed { id: token_id.clone(), how: *how, channel: *channel }
            }
            ConversationEvent::Effect(StateEffect::BlockUser { until }) => {
                Self::Blocked { until: *until }
            }
            ConversationEvent::Effect(_)
            | ConversationEvent::Retrying { .. }
            | ConversationEvent::ConfirmationRepeated { .. }
            | ConversationEvent::Message { .. }
            | ConversationEvent::Note { .. }
            | ConversationEvent::Log { .. }
            | ConversationEvent::IntentRefused { .. }
            | ConversationEvent::Defect { .. } => return None,
        })
    }

    /// The name of the event in the stream.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::ConversationBegan { .. } => "conversation_began",
            Self::ConversationMoved { .. } => "conversation_moved",
            Self::ConversationEnded { .. } => "conversation_ended",
            Self::TurnBegan { .. } => "turn_began",
            Self::TurnEnded { .. } => "turn_ended",
            Self::ModelBegan { .. } => "model_began",
            Self::ModelEnded { .. } => "model_ended",
            Self::CallDecided { .. } => "call_decided",
            Self::CallStarted { .. } => "call_started",
            Self::CallProgress { .. } => "call_progress",
            Self::CallPartial { .. } => "call_partial",
            Self::Task { status: TaskStatus::Running, .. } => "task_began",
            Self::Task { .. } => "task_ended",
            Self::CallAnswered { .. } => "call_answered",
            Self::ConfirmationRequested { .. } => "confirmation_requested",
            Self::ConfirmationClosed { .. } => "confirmation_closed",
            Self::Blocked { .. } => "blocked",
            Self::Unblocked { .. } => "unblocked",
            Self::RegistryLoaded { .. } => "registry_loaded",
        }
    }

    fn fields(&self) -> Value {
        match self {
            Self::ConversationBegan { mode } | Self::ConversationMoved { mode } => {
                json!({ "mode": mode })
            }
            Self::ConversationEnded { reason } => json!({ "reason": reason }),
            Self::TurnBegan { turn, mode, input } => {
                let input = match input {
                    InputKind::Written => "written",
                    InputKind::Spoken => "spoken",
                };
                json!({ "turn": turn, "mode": mode, "input": input })
            }
            Self::TurnEnded { turn } | Self::ModelBegan { turn } | Self::ModelEnded { turn } => {
                json!({ "turn": turn })
            }
            Self::CallDecided { call_id, tool, turn, trail } => {
                json!({ "callId": call_id, "toolId": tool, "turn": turn, "trail": trail })
            }
            Self::CallStarted { call_id, tool } => json!({ "callId": call_id, "toolId": tool }),
            Self::CallProgress { call_id, update } => {
                json!({ "callId": call_id, "update": update })
            }
            Self::CallPartial { call_id, index, data } => {
                json!({ "callId": call_id, "index": index, "data": data })
            }
            Self::Task { task_id, call_id, tool, status } => json!({
                "taskId": task_id, "callId": call_id, "toolId": tool, "status": status,
            }),
            Self::CallAnswered { call_id, tool, outcome, duration, error } => json!({
                "callId": call_id, "toolId": tool, "outcome": outcome, "duration": duration,
                "ok": error.is_none(), "error": error,
            }),
            Self::ConfirmationRequested { id, tool, expires } => {
                json!({ "id": id, "toolId": tool, "expires": expires })
            }
            Self::ConfirmationClosed { id, how, channel } => {
                json!({ "id": id, "how": how.as_str(), "channel": channel.as_str() })
            }
            Self::Blocked { until } => json!({ "until": until }),
            Self::Unblocked { user } => json!({ "user": user }),
            Self::RegistryLoaded { version } => json!({ "version": version }),
        }
    }
}

fn answered(outcome: &Outcome, answer: &ToolResponse) -> EventContent {
    let meta = answer.meta();
    EventContent::CallAnswered {
        call_id: meta.call_id.clone(),
        tool: meta.tool_id.clone(),
        outcome: outcome.clone(),
        duration: meta.duration,
        error: answer.failure().map(|failure| failure.kind.as_str()),
    }
}

impl ServerEvent {
    pub(crate) fn new(
        seq: u64,
        time: u64,
        conversation: Option<(ConversationId, Option<UserId>)>,
        content: EventContent,
    ) -> Self {
        Self { seq, time, conversation, content, json: OnceLock::new() }
    }

    /// The event as JSON. It is serialised once, for its first reader.
    pub(crate) fn data(&self) -> &str {
        self.json.get_or_init(|| self.value().to_string())
    }

    fn value(&self) -> Value {
        let mut data = self.content.fields();
        data["time"] = json!(self.time);
        if let Some((conversation, user)) = &self.conversation {
            data["conversationId"] = json!(conversation);
            data["user"] = json!(user);
        }
        data
    }
}
