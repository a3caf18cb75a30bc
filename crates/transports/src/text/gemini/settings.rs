//! Options that only Gemini has.

/// The choices that depend on the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeminiOptions {
    /// The version in the address, unless the base has one.
    pub version: String,
    pub thoughts: Thoughts,
}

impl Default for GeminiOptions {
    fn default() -> Self {
        Self { version: "v1beta".into(), thoughts: Thoughts::Hidden }
    }
}

/// Whether the model's thoughts are requested. A model without thoughts refuses the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoughts {
    /// Unless a level of reasoning is set.
    Hidden,
    Shown,
}
