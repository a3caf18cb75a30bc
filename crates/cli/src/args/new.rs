//! The arguments of `aileron new`.

use std::path::PathBuf;

use clap::ValueEnum;

#[derive(Debug, clap::Args)]
pub(crate) struct NewArgs {
    /// Name of the tool, with dashes: greet-person
    pub(crate) name: String,
    /// Category of the tool
    #[arg(long, value_enum, default_value_t = NewCategory::Utility)]
    pub(crate) category: NewCategory,
    /// Language of its handler; default: js, or py for the runtime python
    #[arg(long, value_enum)]
    pub(crate) handler: Option<NewHandler>,
    /// Where its handler runs: contained, or with packages as trusted code
    #[arg(long, value_enum, default_value_t = NewRuntime::Sandbox)]
    pub(crate) runtime: NewRuntime,
    /// Folder with the tool directories
    #[arg(long, default_value = "tools", value_name = "DIR")]
    pub(crate) tools: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewCategory {
    Retrieval,
    Action,
    Utility,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewHandler {
    Js,
    Ts,
    Py,
    Rust,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewRuntime {
    Sandbox,
    Node,
    Python,
}
