//! What can be written after `aileron audit` and `aileron stats`.

use std::path::PathBuf;

use aileron_contract::{ConversationId, Outcome, UserId};
use aileron_store::AuditFilter;
use clap::Subcommand;

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
    /// Print one record whole
    Show(ShowArgs),
    /// Walk the chain of hashes and name the first broken record
    Verify(VerifyArgs),
    /// Write records as JSON lines
    Export(ExportArgs),
    /// Take the calls of a conversation along another registry's gates, and say what differs
    Replay(ReplayArgs),
}

/// Where the records are.
#[derive(Debug, clap::Args)]
pub(crate) struct StoreArgs {
    /// The store to read, instead of the one in the settings
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// Which records are wanted; every filter that is given must hold.
#[derive(Debug, clap::Args)]
pub(crate) struct FilterArgs {
    /// Calls that began at this moment or later: 2027-01-15T08:00:00Z, or 15m, 2h, 3d ago
    #[arg(long, value_name = "MOMENT", value_parser = moment::parse)]
    since: Option<u64>,
    /// Calls that began before this moment
    #[arg(long, value_name = "MOMENT", value_parser = moment::parse)]
    until: Option<u64>,
    /// Calls of one conversation
    #[arg(long, value_name = "ID", value_parser = |id: &str| ConversationId::new(id))]
    conversation: Option<ConversationId>,
    /// Calls of one tool
    #[arg(long, value_name = "ID")]
    tool: Option<String>,
    /// Calls for one person
    #[arg(long, value_name = "ID", value_parser = |id: &str| UserId::new(id))]
    user: Option<UserId>,
    /// Calls that ended so: completed, refused, refused:loops, timed_out
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
    /// How many of the newest records
    #[arg(short = 'n', long = "lines", default_value_t = 20, value_name = "COUNT")]
    pub(crate) lines: usize,
    /// Go on as records arrive, until Ctrl-C
    #[arg(short, long, conflicts_with = "until")]
    pub(crate) follow: bool,
    #[command(flatten)]
    pub(crate) filters: FilterArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// How records are printed; json gives one per line
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// Number of the record, or id of the call
    pub(crate) record: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// How the record is printed
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// How the verdict is printed
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// Where to write; without it, to stdout. The file must not be there yet
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) filters: FilterArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

const REPLAY_HELP: &str = "\
No handler runs: the gates decide anew, at the recorded times, and calls are answered as recorded.
Records hold redacted arguments and no permissions; where that leaves a doubt, the report says so.
Exit status: 0 nothing differs, 1 something does, 2 wrong usage.";

#[derive(Debug, clap::Args)]
#[command(after_help = REPLAY_HELP)]
pub(crate) struct ReplayArgs {
    /// The conversation, by its id
    #[arg(value_parser = |id: &str| ConversationId::new(id))]
    pub(crate) conversation: ConversationId,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// How the report is printed
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

const STATS_HELP: &str = "\
Success, milliseconds and bytes are of the calls that ran; refused calls are counted apart.
Tokens are an estimate: a quarter of the characters of every answer.";

#[derive(Debug, clap::Args)]
#[command(after_help = STATS_HELP)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) filters: FilterArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// How the figures are printed
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

/// A filter takes `refused` too, which means every refusal.
fn outcome(text: &str) -> Result<String, String> {
    match text {
        "refused" => Ok(text.to_owned()),
        _ => text.parse::<Outcome>().map(String::from).map_err(|error| error.to_string()),
    }
}
