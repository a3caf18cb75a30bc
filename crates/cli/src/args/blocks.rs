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
    /// List blocked people and the end of each block
    List(BlocksListArgs),
    /// Lift a block; a running server with the same store accepts the person at once
    Lift(BlocksLiftArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct BlocksListArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

const LIFT_HELP: &str = "\
`local` is the anonymous person of a server without authentication. The audit log records the lift.
Exit status 1 if the person is not blocked.";

#[derive(Debug, clap::Args)]
#[command(after_help = LIFT_HELP)]
pub(crate) struct BlocksLiftArgs {
    /// User id, as shown by `aileron blocks list`
    #[arg(value_name = "USER", value_parser = |id: &str| UserId::new(id))]
    pub(crate) user: UserId,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}
