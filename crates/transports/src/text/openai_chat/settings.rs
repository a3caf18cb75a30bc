//! What servers of Chat Completions differ in.

/// The choices that depend on the server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    pub length_field: LengthField,
    pub usage: UsageChunk,
    pub withholding: Withholding,
    pub reasoning_replay: ReasoningReplay,
}

/// What the longest length of a reply is called.
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

/// How a model is kept from making calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Withholding {
    /// `tool_choice: "none"`; the tools stay declared.
    #[default]
    ByChoice,
    /// The tools are not declared, for servers that do not know the choice.
    ByOmission,
}

/// Whether a model is shown its own reasoning again. Some models need it between calls, others
/// refuse it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReasoningReplay {
    #[default]
    Withheld,
    Shown,
}
