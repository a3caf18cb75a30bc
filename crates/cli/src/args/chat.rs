//! What can be written after `aileron chat`.

use std::path::PathBuf;

use aileron_contract::{ConversationId, Mode, UserId};

use super::{SourceArgs, mode};

const CHAT_HELP: &str = "\
Without a message, each line of stdin is one; at a terminal you are asked for it. The agent's words go to
stdout, what it does goes to stderr. Where you have to approve a call, the next line answers: y or n.
At a terminal, `exit`, `quit`, Ctrl-D or Ctrl-C at the prompt ends; the arrow keys edit the line and find earlier
messages, which are kept in `chat_history` beside the store, for you alone to read (not with --memory).
Ctrl-C stops an answer and waits for calls that must not stop half way; once more ends the program.
Without a key of a provider or a server of your own it is offline: rules in this binary answer.
Exit status: 0 fine, 1 the last answer failed, 2 wrong usage or configuration.";

#[derive(Debug, clap::Args)]
#[command(after_help = CHAT_HELP)]
pub(crate) struct ChatArgs {
    /// One message; `-` reads all of stdin as one
    pub(crate) message: Option<String>,
    /// How the conversation is held
    #[arg(long, value_parser = mode(), default_value = "text")]
    pub(crate) mode: Mode,
    /// Who answers, instead of the one in the settings: offline, gemini, openai, openai_chat, anthropic
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// The model, instead of the one in the settings
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Go on with this conversation, or begin it; without it, another one each time
    #[arg(long, value_name = "ID", value_parser = |id: &str| ConversationId::new(id))]
    pub(crate) conversation: Option<ConversationId>,
    /// Who you are; without it, nobody known
    #[arg(long, value_name = "ID", value_parser = |id: &str| UserId::new(id))]
    pub(crate) user: Option<UserId>,
    /// A permission you have
    #[arg(long = "scope", value_name = "SCOPE")]
    pub(crate) scopes: Vec<String>,
    /// Print what happens as lines of JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// The store to use, instead of the one in the settings
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Keep nothing: use a store in memory
    #[arg(long, conflicts_with = "store")]
    pub(crate) memory: bool,
}
