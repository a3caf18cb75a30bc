//! The settings of a compilation.

use aileron_contract::Provider;

use crate::declare::OpenAiForm;

/// How to compile.
#[derive(Debug, Clone)]
pub struct Options {
    /// The targets in use. Declarations are made for all; a schema that another target would
    /// refuse is a note.
    pub targets: Vec<Provider>,
    /// The form of the OpenAI declaration.
    pub form: OpenAiForm,
    /// The claims of the person's token that conditions may read as properties of `user`.
    pub claims: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { targets: Provider::ALL.to_vec(), form: OpenAiForm::Plain, claims: Vec::new() }
    }
}
