//! Options in which servers of Chat Completions differ.

/// The choices that depend on the server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenaiChatOptions {
    pub length_field: LengthField,
    pub usage: UsageChunk,
    pub last_step: LastStepRule,
    pub reasoning_replay: ReasoningReplay,
}

/// Name of the field that limits the length of a reply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LengthField {
    /// Every server of open models knows it.
    #[default]
    MaxTokens,
    /// OpenAI's own reasoning models take no other.
    MaxCompletionTokens,
}

/// Whether the server is asked to count tokens. Some refuse to be asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UsageChunk {
    #[default]
    Asked,
    NotAsked,
}

/// How tools are disabled in the last step of a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LastStepRule {
    /// `tool_choice: "none"`; the tools stay declared.
    #[default]
    ToolChoiceNone,
    /// The tools are not declared, for servers that do not know the choice.
    OmitTools,
}

/// Whether a model is shown its own reasoning again. Some models need it between calls, others
/// refuse it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReasoningReplay {
    #[default]
    Withheld,
    Shown,
}
