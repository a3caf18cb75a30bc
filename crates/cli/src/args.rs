//! The command line.

mod audit;
mod blocks;
mod call;
mod chat;
mod kb;
mod models;
mod new;
mod registries;
mod serve;
mod simulate;
mod tasks;

use std::ffi::OsString;
use std::path::PathBuf;

use aileron_compiler::breaking;
use aileron_contract::{Mode, Provider};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::settings::{HANDLER_PROCESS, WORKER};

pub(crate) use audit::{
    AuditArgs, AuditCommand, ExportArgs, ReplayArgs, ShowArgs, StatsArgs, StatsBy, StoreArgs,
    TailArgs, VerifyArgs,
};
pub(crate) use blocks::{BlocksArgs, BlocksCommand, BlocksLiftArgs, BlocksListArgs};
pub(crate) use call::{CallArgs, TestArgs};
pub(crate) use chat::ChatArgs;
pub(crate) use kb::{
    IngestArgs, KbArgs, KbCommand, KbExportArgs, KbGetArgs, KbPlaceArgs, KbStatsArgs, RemoveArgs,
    SearchArgs,
};
pub(crate) use models::{
    ModelsArgs, ModelsCommand, ModelsFetchArgs, ModelsListArgs, ModelsNamesArgs,
};
pub(crate) use new::{NewArgs, NewCategory, NewHandler, NewRuntime};
pub(crate) use registries::{
    RegistriesArgs, RegistriesCommand, RegistriesExplainArgs, RegistriesListArgs,
};
pub(crate) use serve::ServeArgs;
pub(crate) use simulate::{SimulateArgs, SimulatedProvider};
pub(crate) use tasks::{
    ListedTaskState, TasksArgs, TasksCancelArgs, TasksCommand, TasksListArgs, TasksShowArgs,
};

/// Flight control for agent tools: compile a folder of tool directories into one hashed registry.
#[derive(Debug, Parser)]
#[command(name = "aileron", version, propagate_version = true, after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    pub(crate) color: Colour,

    /// Settings file; default: aileron.toml if it exists
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
Start with `aileron init`, then `aileron serve`.
Exit status: 0 success, 1 findings or a failure, 2 wrong usage or configuration, 3 built without the tools that
have errors (--keep-going).";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create a project: tools, prompts, records to search, and settings
    Init(InitArgs),
    /// Create a tool that builds without changes
    New(NewArgs),
    /// Compile the tools into tool_registry.json
    Build(BuildArgs),
    /// Report every problem without writing anything
    Check(CheckArgs),
    /// Report what the tools of another server need to run here: nothing, a line, a runtime or a decision
    Migrate(MigrateArgs),
    /// Explain a diagnostic code and its fix
    Explain(ExplainArgs),
    /// Compare two toolsets and report breaking changes
    Diff(DiffArgs),
    /// List the tools
    List(ListArgs),
    /// Show one tool, its declaration for a provider, or the instructions for the model
    Describe(DescribeArgs),
    /// Run one call through all policies and print the result
    Call(CallArgs),
    /// Chat with the agent in this terminal
    Chat(ChatArgs),
    /// Run the cases of the tools and show differences
    Test(TestArgs),
    /// Fill and search the knowledge base of `kb_search` and `kb_get`
    Kb(KbArgs),
    /// Download, list, verify and remove the weights of models that run on this machine
    Models(ModelsArgs),
    /// Serve voice, chat and the HTTP API
    Serve(ServeArgs),
    /// List the registries that a server offers, and explain which one a conversation gets
    Registries(RegistriesArgs),
    /// Read the audit log: one record per call, each linked to the previous one by its hash
    Audit(AuditArgs),
    /// Show statistics per tool: success, durations, sizes and refusals
    Stats(StatsArgs),
    /// List blocked people and lift a block
    Blocks(BlocksArgs),
    /// List, show and cancel calls that run in the background
    Tasks(TasksArgs),
    /// List the providers, their models, and the keys that are found
    Providers(ProvidersArgs),
    /// Simulate a provider, so that an agent can be developed without a key
    Simulate(SimulateArgs),
    /// Print the JSON Schema of schema.json, for editors
    Schema(SchemaArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Serve process isolation, on standard input and output
    #[command(hide = true, name = WORKER)]
    JsWorker,
    /// Start a Node.js or Python worker
    #[command(hide = true, name = HANDLER_PROCESS)]
    HandlerProcess(HandlerProcessArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct HandlerProcessArgs {
    /// The process id of the server, the memory of the worker in bytes, and its command
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Applies the choice to all output.
    pub(crate) fn apply(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiagnosticFormat {
    Text,
    Json,
    Github,
    Sarif,
}

/// How data is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DataFormat {
    Text,
    Json,
}

const INIT_HELP: &str = "\
Writes the tools, prompts and demo records that this program was built with, aileron.toml with comments, and
files for editors: the formats of schema.json and cases.json, and the types of a handler's context.
Existing files are not changed. Handlers in a handler.rs are compiled into this program: replace such a file
by a handler.js or handler.ts to change the tool.";

#[derive(Debug, clap::Args)]
#[command(after_help = INIT_HELP)]
pub(crate) struct InitArgs {
    /// Folder of the project; default: the current folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Create one example tool instead of the shipped tools, and no records
    #[arg(long)]
    pub(crate) minimal: bool,
}

/// The common arguments of `build` and `check`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompileArgs {
    /// Folder with the tool directories
    #[arg(long, default_value = "tools", value_name = "DIR")]
    pub(crate) tools: PathBuf,
    /// Compare with a previous registry: a git ref, an artifact or a tools folder
    #[arg(long, value_name = "REF|FILE|DIR")]
    pub(crate) against: Option<String>,
    /// Allow this breaking change
    #[arg(long, value_name = "RULE", requires = "against", value_parser = promise(), hide_possible_values = true)]
    pub(crate) allow: Vec<String>,
    /// Declaration targets in use; default: `[build] targets` of the settings, or all
    #[arg(long = "target", value_name = "PROVIDER", value_delimiter = ',', value_parser = provider())]
    pub(crate) targets: Vec<Provider>,
    /// Declare for OpenAI in strict form
    #[arg(long)]
    pub(crate) strict: bool,
    /// Leave out tools with errors, and tools that call them, and build the others; exit status 3 if any is left out
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Fail on warnings too
    #[arg(long)]
    pub(crate) deny_warnings: bool,
    /// Show notes, such as schema keywords that a provider's declaration cannot express
    #[arg(long)]
    pub(crate) notes: bool,
    /// Output format of the findings
    #[arg(long, value_enum, default_value_t = DiagnosticFormat::Text)]
    pub(crate) format: DiagnosticFormat,
}

const BUILD_HELP: &str = "\
Exit status: 0 built, 1 not built because of findings, 2 wrong usage or configuration, 3 built without the tools
that have errors (--keep-going, or keep_going of [build] in the settings). The artifact names them in `leftOut`.";

const CHECK_HELP: &str = "\
Exit status: 0 no errors, 1 findings, 2 wrong usage or configuration, 3 only `--keep-going` would build it.";

const MIGRATE_HELP: &str = "\
The folder is one with tool directories, or one that holds such a folder (`tools`, `voice-server/tools`). Each tool is
compiled as it is, with the lines that its findings propose, and with another runtime. Nothing is written without --write.
Exit status: 0 every tool compiles as it is, 1 something is to be done, 2 wrong usage or configuration.";

#[derive(Debug, clap::Args)]
#[command(after_help = MIGRATE_HELP)]
pub(crate) struct MigrateArgs {
    /// Folder with the tool directories, or one that holds it
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Write the proposed lines, except those that set a runtime
    #[arg(long)]
    pub(crate) write: bool,
    /// With --write: also set `runtime`, which makes the handlers trusted code
    #[arg(long, requires = "write")]
    pub(crate) trust: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
#[command(after_help = BUILD_HELP)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) compile: CompileArgs,
    /// Where to write the artifact
    #[arg(long, default_value = "tool_registry.json", value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Build again whenever a file changes
    #[arg(long)]
    pub(crate) watch: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) compile: CompileArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// Code such as AIL-S001, name such as missing-field, or breaking-change rule such as PARAM_NO_DELETE; default: list all
    pub(crate) code: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// The older toolset: an artifact, a tools folder or a git ref
    pub(crate) old: String,
    /// The newer toolset
    pub(crate) new: String,
    /// Tools folder within a git ref
    #[arg(long, default_value = "tools", value_name = "DIR")]
    pub(crate) tools: PathBuf,
    /// Allow this breaking change
    #[arg(long, value_name = "RULE", value_parser = promise(), hide_possible_values = true)]
    pub(crate) allow: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

/// The location of the tools; by default that of the settings.
#[derive(Debug, clap::Args)]
pub(crate) struct SourceArgs {
    /// Folder with the tool directories; default: `tools` of [server] in the settings
    #[arg(long, value_name = "DIR", conflicts_with = "registry")]
    pub(crate) tools: Option<PathBuf>,
    /// Built artifact to use instead of a folder
    #[arg(long, value_name = "FILE")]
    pub(crate) registry: Option<PathBuf>,
    /// Leave out tools with errors, and tools that call them
    #[arg(long, conflicts_with = "registry")]
    pub(crate) keep_going: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Only tools that allow this mode
    #[arg(long, value_parser = mode())]
    pub(crate) mode: Option<Mode>,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DescribeArgs {
    /// Id of the tool: kb_search
    #[arg(required_unless_present = "prompt")]
    pub(crate) tool: Option<String>,
    /// Print the instructions for this mode, with the estimated tokens of each part
    #[arg(long, value_name = "MODE", value_parser = mode(), conflicts_with_all = ["tool", "strict"])]
    pub(crate) prompt: Option<Mode>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Print the declaration for one provider, or, with --prompt, count the tokens of its declarations instead of those of the configured provider. For OpenAI this is the flat form of Responses; Chat Completions nests it under "function"
    #[arg(long, value_parser = provider())]
    pub(crate) provider: Option<Provider>,
    /// Use OpenAI's strict form
    #[arg(long, requires = "provider")]
    pub(crate) strict: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ProvidersArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    /// Print the JSON Schema of cases.json instead
    #[arg(long)]
    pub(crate) cases: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

fn mode() -> impl TypedValueParser<Value = Mode> {
    PossibleValuesParser::new(Mode::ALL.map(Mode::as_str)).try_map(|name| {
        let found = Mode::ALL.into_iter().find(|mode| mode.as_str() == name);
        found.ok_or("unknown mode")
    })
}

fn provider() -> impl TypedValueParser<Value = Provider> {
    PossibleValuesParser::new(Provider::ALL.map(Provider::as_str))
        .try_map(|name| name.parse::<Provider>())
}

fn promise() -> PossibleValuesParser {
    PossibleValuesParser::new(breaking::RULES.iter().map(|rule| rule.code))
}
