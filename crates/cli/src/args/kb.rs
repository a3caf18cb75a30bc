//! The arguments of `aileron kb`.

use std::path::PathBuf;

use aileron_contract::kb::{DateRange, Filters, Namespace};
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::DataFormat;
use crate::moment;

const KB_HELP: &str = "\
Begin with `aileron kb ingest demo/knowledge`, then `aileron kb search 'lighting lead'`.
The folder is `path` of [kb] in aileron.toml; default: .aileron/kb.
Exit status: 0 success, 1 refused or missing records, or a failure, 2 wrong usage or configuration.";

#[derive(Debug, clap::Args)]
#[command(after_help = KB_HELP)]
pub(crate) struct KbArgs {
    #[command(subcommand)]
    pub(crate) command: KbCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KbCommand {
    /// Ingest records from Markdown, text, HTML, JSON, JSON lines and CSV files
    Ingest(IngestArgs),
    /// Find records by keywords and meaning
    Search(SearchArgs),
    /// Print records by their ids
    Get(KbGetArgs),
    /// Show statistics
    Stats(KbStatsArgs),
    /// Export all records as JSON lines, which `ingest` can read
    Export(KbExportArgs),
    /// Remove records by their ids
    Remove(RemoveArgs),
}

/// The location of the knowledge base.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct KbPlaceArgs {
    /// Folder of the knowledge base; default: the one in the settings
    #[arg(long = "kb", value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

const INGEST_HELP: &str = "\
Only changed records are indexed again. An ingest is atomic: searches during it see the previous state, and an
interrupted ingest changes nothing. Refused records are reported with file and line; all others are ingested.

Examples:
  aileron kb ingest demo/knowledge          ingest a folder
  aileron kb ingest notes --prune           and remove records whose files are gone
  aileron kb ingest notes --watch           and repeat whenever files change, until Ctrl-C
  aileron kb ingest notes people.csv --dry-run
  aileron kb ingest --rebuild               rebuild the index, for example after a change of the embedding engine

Exit status: 0 all ingested, 1 refused records or a failure, 2 wrong usage or configuration.";

#[derive(Debug, Clone, clap::Args)]
#[command(after_help = INGEST_HELP)]
pub(crate) struct IngestArgs {
    /// Files and folders: .md, .markdown, .txt, .html, .htm, .jsonl, .ndjson, .json, .csv
    #[arg(value_name = "PATH", required_unless_present = "rebuild")]
    pub(crate) paths: Vec<PathBuf>,
    /// Remove records from these paths whose source no longer exists
    #[arg(long, requires = "paths")]
    pub(crate) prune: bool,
    /// Rebuild the index from all records
    #[arg(long)]
    pub(crate) rebuild: bool,
    /// Only report the changes
    #[arg(long, requires = "paths", conflicts_with_all = ["rebuild", "watch"])]
    pub(crate) dry_run: bool,
    /// Ingest again whenever a file changes; records of deleted files stay unless --prune is given
    #[arg(long, requires = "paths")]
    pub(crate) watch: bool,
    /// List all refused, skipped and missing records, not only the first ones
    #[arg(long, short)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) place: KbPlaceArgs,
    /// Output format; json contains every refusal, and with --watch one line per ingest
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

const SEARCH_HELP: &str = "\
A query is plain text. \"Words in quotes\" are a phrase; if no record contains it, its words are searched one by
one and a note says so. A star ends a prefix (rev*). Typing errors are tolerated. A query that equals a record's
id or title finds that record first.

By default all three namespaces are searched, because you can read the files anyway. For calls of tools,
[kb.readers] in aileron.toml says who may read each namespace.

Examples:
  aileron kb search 'who leads lighting'
  aileron kb search '\"render farm\" access' --type doc --since 2025-01-01
  aileron kb search automation --tag active --namespace studio --explain";

#[derive(Debug, clap::Args)]
#[command(after_help = SEARCH_HELP)]
pub(crate) struct SearchArgs {
    /// Query
    pub(crate) query: String,
    /// Only this namespace; may be given several times [default: all]
    #[arg(long = "namespace", short, value_name = "NAME", value_parser = namespace())]
    namespaces: Vec<Namespace>,
    /// Only records of this type: person, doc; case-insensitive
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Only records with this tag, or with all given tags; case-insensitive
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Only records last updated on this day or later: 2026-01-31, 2026-01-31T12:00:00Z, or 2h, 3d ago
    #[arg(long, value_name = "DATE", value_parser = moment::limit)]
    since: Option<String>,
    /// Only records last updated on this day or earlier
    #[arg(long, value_name = "DATE", value_parser = moment::limit)]
    until: Option<String>,
    /// Maximum number of results
    #[arg(long, short = 'k', default_value_t = 5, value_name = "COUNT", value_parser = top_k)]
    pub(crate) top_k: usize,
    /// Minimum score of a result. By default all are shown, even if the tool kb_search would return nothing
    #[arg(long, default_value_t = 0.0, value_name = "SCORE", value_parser = score)]
    pub(crate) min_score: f64,
    /// Show how each score is computed
    #[arg(long)]
    pub(crate) explain: bool,
    /// Rank by keywords only, without embeddings
    #[arg(long)]
    pub(crate) words: bool,
    #[command(flatten)]
    pub(crate) place: KbPlaceArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

impl SearchArgs {
    /// The namespaces to search; by default all.
    pub(crate) fn namespaces(&self) -> &[Namespace] {
        if self.namespaces.is_empty() { &Namespace::ALL } else { &self.namespaces }
    }

    pub(crate) fn filters(&self) -> Filters {
        let date_range = DateRange { start: self.since.clone(), end: self.until.clone() };
        Filters { kind: self.kind.clone(), tags: self.tags.clone(), date_range }
    }

    /// Whether a filter excludes records.
    pub(crate) fn is_filtered(&self) -> bool {
        !self.namespaces.is_empty() || self.filters() != Filters::default()
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct KbGetArgs {
    /// Ids of records: person:mira_holt
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
    #[command(flatten)]
    pub(crate) place: KbPlaceArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct KbStatsArgs {
    /// Verify every byte of the records and the index
    #[arg(long)]
    pub(crate) verify: bool,
    #[command(flatten)]
    pub(crate) place: KbPlaceArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct KbExportArgs {
    /// Output file, which must not exist; default: stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: KbPlaceArgs,
}

const REMOVE_HELP: &str = "\
If its file still exists, the next ingest of that file adds the record again.
Unknown ids are reported with the closest known ones; all other records are removed.";

#[derive(Debug, clap::Args)]
#[command(after_help = REMOVE_HELP)]
pub(crate) struct RemoveArgs {
    /// Ids of records: person:mira_holt
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
    /// Only report the changes
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) place: KbPlaceArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

fn namespace() -> impl TypedValueParser<Value = Namespace> {
    PossibleValuesParser::new(Namespace::ALL.map(Namespace::as_str))
        .try_map(|name| name.parse::<Namespace>())
}

fn score(text: &str) -> Result<f64, String> {
    let score = text.parse::<f64>().ok().filter(|score| (0.0..=1.0).contains(score));
    score.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn top_k(text: &str) -> Result<usize, String> {
    const MOST: usize = 1000;
    let count = text.parse().ok().filter(|count| (1..=MOST).contains(count));
    count.ok_or_else(|| format!("expected a number from 1 to {MOST}"))
}
