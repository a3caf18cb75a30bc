//! What can be written after `aileron serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::settings::{Flag, address};

const HELP: &str = "\
Settings come from aileron.toml, then from AILERON_... variables, then from here; the later one wins.
Ctrl-C stops when what is under way has come to its end; a second one stops at once.
Exit status: 0 stopped, 1 it did not work, 2 wrong usage or configuration.";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct ServeArgs {
    /// Where to listen: 127.0.0.1:7272, localhost:7272 or 7272
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address::parse)]
    pub(crate) address: Option<SocketAddr>,
    /// Folder with the tool directories
    #[arg(long, value_name = "DIR", conflicts_with = "registry")]
    pub(crate) tools: Option<PathBuf>,
    /// A built artifact instead of a folder
    #[arg(long, value_name = "FILE")]
    pub(crate) registry: Option<PathBuf>,
    /// The store to use
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Keep nothing: use a store in memory
    #[arg(long, conflicts_with = "store")]
    pub(crate) memory: bool,
    /// Build the tools again whenever a file changes; conversations that began keep theirs
    #[arg(long, conflicts_with = "registry")]
    pub(crate) watch: bool,
    /// Make a project first, as `aileron init` does, where there is none
    #[arg(long, conflicts_with_all = ["tools", "registry", "print_config"])]
    pub(crate) init: bool,
    /// Print the settings and where each is from, and do nothing
    #[arg(long)]
    pub(crate) print_config: bool,
}

impl ServeArgs {
    /// The settings that were given here.
    pub(crate) fn flags(&self) -> Vec<Flag> {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        // Whoever names a folder means it, whatever the file says about an artifact.
        let no_registry = self.tools.as_ref().map(|_| String::new());
        let given = [
            ("--address", "server.address", self.address.map(|address| address.to_string())),
            ("--tools", "server.tools", path(&self.tools)),
            ("--tools", "server.registry", no_registry),
            ("--registry", "server.registry", path(&self.registry)),
            ("--store", "store.path", path(&self.store)),
        ];
        let set = |(name, key, value): (_, _, Option<String>)| {
            value.map(|value| Flag { name, key, value })
        };
        given.into_iter().filter_map(set).collect()
    }
}
