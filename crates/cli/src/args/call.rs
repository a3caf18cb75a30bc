//! The arguments of `aileron call` and `aileron test`.

use std::path::PathBuf;

use aileron_contract::{ConversationId, Mode, UserId};

use super::{DataFormat, SourceArgs, mode};

const CALL_HELP: &str = "\
The result is printed to stdout as JSON, progress and messages of the tool to stderr.
If the call needs approval and stdin is a terminal, the command asks you.
Exit status: 0 success, 1 the call failed or was refused, 2 wrong usage or configuration.";

#[derive(Debug, clap::Args)]
#[command(after_help = CALL_HELP)]
pub(crate) struct CallArgs {
    /// Id of the tool: kb_search
    pub(crate) tool: String,
    /// Arguments of the call, a JSON object; `-` reads it from stdin; default: {}
    #[arg(value_name = "JSON")]
    pub(crate) arguments: Option<String>,
    /// Mode of the conversation
    #[arg(long, value_parser = mode(), default_value = "text")]
    pub(crate) mode: Mode,
    /// Continue this conversation, or create it with this id; default: a new conversation
    #[arg(long, value_name = "ID", value_parser = |id: &str| ConversationId::new(id))]
    pub(crate) conversation: Option<ConversationId>,
    /// User id; anonymous if omitted
    #[arg(long, value_name = "ID", value_parser = |id: &str| UserId::new(id))]
    pub(crate) user: Option<UserId>,
    /// Scope of the user; may be given several times
    #[arg(long = "scope", value_name = "SCOPE")]
    pub(crate) scopes: Vec<String>,
    /// Approve the call without asking
    #[arg(long)]
    pub(crate) confirm: bool,
    /// Only show the decision of the policies
    #[arg(long, conflicts_with = "confirm")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Store to use; default: the one in the settings
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Use a store in memory that is not saved
    #[arg(long, conflicts_with = "store")]
    pub(crate) memory: bool,
    /// Output format of --dry-run. A result is always JSON, on a terminal indented unless this is json
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

const TEST_HELP: &str = "\
Each case is one call through all policies, in its own conversation with its own test doubles.
A call that needs approval runs as if it were approved.
Exit status: 0 all as expected, 1 differences, 2 wrong usage.";

#[derive(Debug, clap::Args)]
#[command(after_help = TEST_HELP)]
pub(crate) struct TestArgs {
    /// Ids of the tools to test; default: all
    #[arg(value_name = "TOOL")]
    pub(crate) only: Vec<String>,
    /// Only test this mode
    #[arg(long, value_parser = mode())]
    pub(crate) mode: Option<Mode>,
    /// Folder with the tool directories
    #[arg(long, default_value = "tools", value_name = "DIR")]
    pub(crate) tools: PathBuf,
    /// Leave out tools with errors, and tools that call them
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}
