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
    /// Accepted by every server of open models.
    #[default]
    MaxTokens,
    /// Required by OpenAI's reasoning models.
    MaxCompletionTokens,
}

/// Whether token counts are requested. Some servers refuse the field.
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
    /// The tools are not declared, for servers without `tool_choice`.
    OmitTools,
}

/// Whether a model is sent its own reasoning again. Some models need it between calls, others refuse it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReasoningReplay {
    #[default]
    Withheld,
    Shown,
}
