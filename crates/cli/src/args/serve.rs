//! The arguments of `aileron serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::output::Failure;
use crate::settings::{Flag, RegistrySettings, address};

const HELP: &str = "\
Settings come from aileron.toml, AILERON_... variables and these flags; later ones override earlier ones.
SIGHUP reads the registries and their rules again, as POST /v1/registries/reload does.
Ctrl-C stops the server after requests in flight have finished; a second Ctrl-C stops it at once.
Exit status: 0 stopped, 1 failure, 2 wrong usage or configuration.";

#[derive(Debug, Clone, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct ServeArgs {
    /// Address to listen on: 127.0.0.1:7272, localhost:7272 or 7272
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address::parse)]
    pub(crate) address: Option<SocketAddr>,
    /// Folder with the tool directories
    #[arg(long, value_name = "DIR")]
    pub(crate) tools: Option<PathBuf>,
    /// Built artifact to use instead of a folder; with a name, a further registry for new conversations: an artifact or a folder. May be given several times
    #[arg(long = "registry", value_name = "[NAME=]FILE")]
    pub(crate) registries: Vec<String>,
    /// Store to use; default: the one in the settings
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Use a store in memory that is not saved
    #[arg(long, conflicts_with = "store")]
    pub(crate) memory: bool,
    /// Build the tools again whenever a file changes; existing conversations keep their registry
    #[arg(long)]
    pub(crate) watch: bool,
    /// Leave out tools with errors, and tools that call them; with --watch also after each change
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Serve the page from this folder instead of the program, for its development
    #[arg(long, value_name = "DIR")]
    pub(crate) page: Option<PathBuf>,
    /// Create a project first, like `aileron init`, if there is none
    #[arg(long, conflicts_with_all = ["tools", "registries", "print_config"])]
    pub(crate) init: bool,
    /// Print every setting with its source, and exit
    #[arg(long)]
    pub(crate) print_config: bool,
}

impl ServeArgs {
    /// The settings given as flags.
    pub(crate) fn flags(&self) -> Result<Vec<Flag>, Failure> {
        let (named, unnamed): (Vec<_>, Vec<_>) =
            self.registries.iter().partition(|text| RegistrySettings::named(text).is_some());
        self.check_unnamed(&unnamed)?;
        let named: Vec<&str> = named.into_iter().map(String::as_str).collect();
        let named = (!named.is_empty()).then(|| named.join(","));
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        // `--tools` overrides a registry in the settings file.
        let no_registry = self.tools.as_ref().map(|_| String::new());
        let given = [
            ("--address", "server.address", self.address.map(|address| address.to_string())),
            ("--tools", "server.tools", path(&self.tools)),
            ("--tools", "server.registry", no_registry),
            ("--registry", "server.registry", unnamed.first().map(|file| (*file).clone())),
            ("--registry", "server.registries", named),
            ("--store", "store.path", path(&self.store)),
            ("--keep-going", "build.keep_going", self.keep_going.then(|| "true".to_owned())),
        ];
        let set = |(name, key, value): (_, _, Option<String>)| {
            value.map(|value| Flag { name, key, value })
        };
        Ok(given.into_iter().filter_map(set).collect())
    }

    /// The default registry is one, from one source.
    fn check_unnamed(&self, unnamed: &[&String]) -> Result<(), Failure> {
        let why = match (unnamed, &self.tools) {
            ([], _) => return Ok(()),
            ([_], None) if !self.watch && !self.keep_going => return Ok(()),
            ([_], None) => {
                "--watch and --keep-going build a folder; --registry without a name is an artifact"
            }
            ([_], Some(_)) => "expected --tools or one --registry without a name, found both",
            ([..], _) => {
                "expected at most one --registry without a name, found several; give each further one a name: \
                 --registry candidate=candidate.json"
            }
        };
        Err(Failure::Usage(why.to_owned()))
    }
}
