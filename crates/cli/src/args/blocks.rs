//! The arguments of `aileron blocks`.

use aileron_contract::UserId;
use clap::Subcommand;

use super::{DataFormat, StoreArgs};

#[derive(Debug, clap::Args)]
pub(crate) struct BlocksArgs {
    #[command(subcommand)]
    pub(crate) command: BlocksCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BlocksCommand {
    /// List the people who are blocked, and until when
    List(BlocksListArgs),
    /// Lift the block of a person; a server that runs over the same store lets them in at once
    Lift(BlocksLiftArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct BlocksListArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// How the blocks are printed
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

const LIFT_HELP: &str = "\
`local` is the person at this machine, where nobody signs in. The lift is recorded in the audit log.
Exit 1 if the person is not blocked.";

#[derive(Debug, clap::Args)]
#[command(after_help = LIFT_HELP)]
pub(crate) struct BlocksLiftArgs {
    /// Whose block, as `aileron blocks list` shows them
    #[arg(value_name = "USER", value_parser = |id: &str| UserId::new(id))]
    pub(crate) user: UserId,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// How the outcome is printed
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}
