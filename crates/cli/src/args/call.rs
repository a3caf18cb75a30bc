//! What can be written after `aileron call` and `aileron test`.

use std::path::PathBuf;

use aileron_contract::{ConversationId, Mode, UserId};

use super::{DataFormat, SourceArgs, mode};

const CALL_HELP: &str = "\
The answer goes to stdout as JSON; what the tool has to say on the way goes to stderr.
Where the person has to approve the call, you are asked if stdin is a terminal.
Exit status: 0 ok, 1 the call failed or was refused, 2 wrong usage or configuration.";

#[derive(Debug, clap::Args)]
#[command(after_help = CALL_HELP)]
pub(crate) struct CallArgs {
    /// Id of the tool: kb_search
    pub(crate) tool: String,
    /// Arguments of the call, a JSON object; `-` reads it from stdin, none means {}
    #[arg(value_name = "JSON")]
    pub(crate) arguments: Option<String>,
    /// How the conversation is held
    #[arg(long, value_parser = mode(), default_value = "text")]
    pub(crate) mode: Mode,
    /// Go on with this conversation, or begin it; without it, another one each time
    #[arg(long, value_name = "ID", value_parser = |id: &str| ConversationId::new(id))]
    pub(crate) conversation: Option<ConversationId>,
    /// Who the person is; without it, nobody known
    #[arg(long, value_name = "ID", value_parser = |id: &str| UserId::new(id))]
    pub(crate) user: Option<UserId>,
    /// A permission the person has
    #[arg(long = "scope", value_name = "SCOPE")]
    pub(crate) scopes: Vec<String>,
    /// Approve the call without being asked
    #[arg(long)]
    pub(crate) confirm: bool,
    /// Only say what the gates would decide
    #[arg(long, conflicts_with = "confirm")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// The store to use, instead of the one in the settings
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Keep nothing: use a store in memory
    #[arg(long, conflicts_with = "store")]
    pub(crate) memory: bool,
    /// How the decision of --dry-run is printed; an answer is JSON either way, on a terminal indented unless
    /// json is asked for
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

const TEST_HELP: &str = "\
Each case is a call in a conversation and a made-up world of its own, through every gate.
A call that would need approval runs as if it had been given.
Exit status: 0 all as expected, 1 something differs, 2 wrong usage.";

#[derive(Debug, clap::Args)]
#[command(after_help = TEST_HELP)]
pub(crate) struct TestArgs {
    /// Ids of the tools to test; none means all
    #[arg(value_name = "TOOL")]
    pub(crate) only: Vec<String>,
    /// Only in this mode
    #[arg(long, value_parser = mode())]
    pub(crate) mode: Option<Mode>,
    /// Folder with the tool directories
    #[arg(long, default_value = "tools", value_name = "DIR")]
    pub(crate) tools: PathBuf,
    /// How the report is printed
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}
