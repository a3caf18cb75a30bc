//! The arguments of `aileron chat`.

use std::path::PathBuf;

use aileron_contract::{ConversationId, Mode, UserId};

use super::{SourceArgs, mode};

const CHAT_HELP: &str = "\
Without a message, each line of stdin is one message; a terminal shows a prompt. Answers are printed to stdout,
calls and notices to stderr. If a call needs approval, the next line is the answer: y or n.
In a terminal, `exit`, `quit`, Ctrl-D or Ctrl-C at the prompt ends the chat. The arrow keys edit the line and find
earlier messages, which are stored in `chat_history` beside the store, readable by you only (not with --memory).
Ctrl-C stops an answer and waits for calls that must finish; a second Ctrl-C exits at once.
Without the key of a provider or a `base_url`, the agent is offline: rules inside this program answer.
Exit status: 0 success, 1 the last answer failed, 2 wrong usage or configuration.";

#[derive(Debug, clap::Args)]
#[command(after_help = CHAT_HELP)]
pub(crate) struct ChatArgs {
    /// Message; `-` reads all of stdin as one message
    pub(crate) message: Option<String>,
    /// Mode of the conversation
    #[arg(long, value_parser = mode(), default_value = "text")]
    pub(crate) mode: Mode,
    /// Text model provider: offline, gemini, openai, openai_chat, anthropic; default: the one in the settings
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// Model; default: the one in the settings
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Continue this conversation, or create it with this id; default: a new conversation
    #[arg(long, value_name = "ID", value_parser = |id: &str| ConversationId::new(id))]
    pub(crate) conversation: Option<ConversationId>,
    /// User id; anonymous if omitted
    #[arg(long, value_name = "ID", value_parser = |id: &str| UserId::new(id))]
    pub(crate) user: Option<UserId>,
    /// Scope of the user; may be given several times
    #[arg(long = "scope", value_name = "SCOPE")]
    pub(crate) scopes: Vec<String>,
    /// Print events as JSON lines
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Store to use; default: the one in the settings
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Use a store in memory that is not saved
    #[arg(long, conflicts_with = "store")]
    pub(crate) memory: bool,
}
