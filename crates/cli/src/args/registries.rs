//! The arguments of `aileron registries`.

use aileron_contract::{ConversationId, UserId};
use clap::Subcommand;

use super::DataFormat;

#[derive(Debug, clap::Args)]
pub(crate) struct RegistriesArgs {
    #[command(subcommand)]
    pub(crate) command: RegistriesCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RegistriesCommand {
    /// List the registries of the settings and the rules that assign them to new conversations
    List(RegistriesListArgs),
    /// Say which registry a new conversation of a person would get, and why
    Explain(RegistriesExplainArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct RegistriesListArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

const EXPLAIN_HELP: &str = "\
Reads the rules of the settings; no server is asked and no registry is loaded. The answer is that of every server
with the same settings. A percentage depends on the person, or on the conversation of a person who is not signed in.
Exit status 1 if no rule allows the registry that --registry names.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXPLAIN_HELP)]
pub(crate) struct RegistriesExplainArgs {
    /// Id of the person; default: somebody who is not signed in
    #[arg(long, value_name = "ID", value_parser = |id: &str| UserId::new(id))]
    pub(crate) user: Option<UserId>,
    /// Claim of the person
    #[arg(long = "claim", value_name = "NAME=VALUE", value_parser = claim)]
    pub(crate) claims: Vec<(String, String)>,
    /// Scope of the person
    #[arg(long = "scope", value_name = "SCOPE")]
    pub(crate) scopes: Vec<String>,
    /// Id of the conversation; default: any
    #[arg(long, value_name = "ID", value_parser = |id: &str| ConversationId::new(id))]
    pub(crate) conversation: Option<ConversationId>,
    /// Registry that the request names
    #[arg(long, value_name = "NAME")]
    pub(crate) registry: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

fn claim(text: &str) -> Result<(String, String), String> {
    let claim = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let claim = claim.map(|(name, value)| (name.to_owned(), value.to_owned()));
    claim.ok_or_else(|| format!("expected `name=value`, found {text:?}"))
}
