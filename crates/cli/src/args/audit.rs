//! The arguments of `aileron audit` and `aileron stats`.

use std::path::PathBuf;

use aileron_contract::{ConversationId, Outcome, UserId};
use aileron_store::AuditFilter;
use clap::{Subcommand, ValueEnum};

use super::{DataFormat, SourceArgs};
use crate::moment;
use crate::output::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct AuditArgs {
    #[command(subcommand)]
    pub(crate) command: AuditCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Print the newest records, one line each
    Tail(TailArgs),
    /// Print one record
    Show(ShowArgs),
    /// Verify the hash chain and report the first invalid record
    Verify(VerifyArgs),
    /// Write records as JSON lines
    Export(ExportArgs),
    /// Replay a conversation's calls against another registry and report different decisions
    Replay(ReplayArgs),
}

/// The store with the records.
#[derive(Debug, clap::Args)]
pub(crate) struct StoreArgs {
    /// Store to read; default: the one in the settings
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// Filters of records; all given filters must match.
#[derive(Debug, clap::Args)]
pub(crate) struct FilterArgs {
    /// Only calls that started at this time or later: 2027-01-15T08:00:00Z, or 15m, 2h, 3d ago
    #[arg(long, value_name = "MOMENT", value_parser = moment::parse)]
    since: Option<u64>,
    /// Only calls that started before this time
    #[arg(long, value_name = "MOMENT", value_parser = moment::parse)]
    until: Option<u64>,
    /// Only calls of this conversation
    #[arg(long, value_name = "ID", value_parser = |id: &str| ConversationId::new(id))]
    conversation: Option<ConversationId>,
    /// Only calls of this tool
    #[arg(long, value_name = "ID")]
    tool: Option<String>,
    /// Only calls of this user
    #[arg(long, value_name = "ID", value_parser = |id: &str| UserId::new(id))]
    user: Option<UserId>,
    /// Only calls with this outcome: completed, refused, refused:loops, timed_out
    #[arg(long, value_parser = outcome)]
    outcome: Option<String>,
}

impl FilterArgs {
    pub(crate) fn filter(&self) -> Result<AuditFilter, Failure> {
        if self.since.zip(self.until).is_some_and(|(since, until)| since >= until) {
            return Err(Failure::Usage("--since must be before --until".to_owned()));
        }
        Ok(AuditFilter {
            since: self.since,
            until: self.until,
            conversation: self.conversation.clone(),
            tool: self.tool.clone(),
            user: self.user.clone(),
            outcome: self.outcome.clone(),
            ..AuditFilter::default()
        })
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct TailArgs {
    /// Number of newest records
    #[arg(short = 'n', long = "lines", default_value_t = 20, value_name = "COUNT")]
    pub(crate) lines: usize,
    /// Print further records as they arrive, until Ctrl-C
    #[arg(short, long, conflicts_with = "until")]
    pub(crate) follow: bool,
    #[command(flatten)]
    pub(crate) filters: FilterArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Output format; json prints one record per line
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// Number of the record, or id of the call
    pub(crate) record: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// Output file, which must not exist; default: stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) filters: FilterArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

const REPLAY_HELP: &str = "\
No handler runs: the policies decide again, at the recorded times, and results are those of the records.
Records have redacted arguments and no scopes; if a decision is uncertain because of that, the report says so.
Exit status: 0 same decisions, 1 different decisions, 2 wrong usage.";

#[derive(Debug, clap::Args)]
#[command(after_help = REPLAY_HELP)]
pub(crate) struct ReplayArgs {
    /// Id of the conversation
    #[arg(value_parser = |id: &str| ConversationId::new(id))]
    pub(crate) conversation: ConversationId,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

const STATS_HELP: &str = "\
Success, milliseconds and bytes cover calls that ran; refused calls are counted separately.
Tokens are estimated as a quarter of the characters of each result.
With --by version, each tool has a row for each registry version, and the two versions that were used last are
compared, or those of --compare. The intervals are of 95 % confidence: Newcombe's for success, order statistics for
percentiles (docs/versions.md).";

#[derive(Debug, clap::Args)]
#[command(after_help = STATS_HELP)]
pub(crate) struct StatsArgs {
    /// Rows of the table
    #[arg(long, value_enum, default_value_t = StatsBy::Tool)]
    pub(crate) by: StatsBy,
    /// Registry versions to compare, the older one first; the last digits of a version are enough
    #[arg(long, value_names = ["OLD", "NEW"], num_args = 2)]
    pub(crate) compare: Vec<String>,
    #[command(flatten)]
    pub(crate) filters: FilterArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

/// The rows of the statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsBy {
    /// Tools
    Tool,
    /// Tools under each registry version
    Version,
}

/// The filter `refused` matches every refusal.
fn outcome(text: &str) -> Result<String, String> {
    match text {
        "refused" => Ok(text.to_owned()),
        _ => text.parse::<Outcome>().map(String::from).map_err(|error| error.to_string()),
    }
}
