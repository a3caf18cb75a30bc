//! `aileron init`: creates a project; `serve` offers to do so if there is none.

use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use crate::args::InitArgs;
use crate::commands::findings::written;
use crate::output::{self, ExitOutcome, Failure, count};
use crate::project::{self, ProjectExtent, ProjectFiles};
use crate::settings::Settings;

const NEXT: &str = "\
next:
  aileron serve          voice, chat and the API; no key is needed
  aileron chat           talk with the agent in this terminal
  aileron new <name>     make a tool; `aileron test` runs the cases of all
  aileron.toml           says which settings there are";

/// The current folder, which adds nothing to a path.
const HERE: &str = "";

const NOTHING: &str = "all files already exist; nothing was changed";

pub(crate) fn run(args: &InitArgs) -> Result<ExitOutcome, Failure> {
    let extent = if args.minimal { ProjectExtent::Minimal } else { ProjectExtent::Whole };
    let folder = args.folder.as_deref().unwrap_or(HERE.as_ref());
    let made = project::make(folder, extent)?;
    for line in summary(folder, &made) {
        output::data(&line)?;
    }
    if !made.kept.is_empty() && !made.written.is_empty() {
        let kept = count(made.kept.len(), "file");
        output::talk(&format!(
            "{kept} already exist and were not changed: {}",
            first_few(&made.kept)
        ));
    }
    output::talk(if made.written.is_empty() { NOTHING } else { NEXT });
    Ok(ExitOutcome::Fine)
}

/// A line for each file at the top, and one for each folder with how many files it got.
fn summary(folder: &Path, made: &ProjectFiles) -> Vec<String> {
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for path in &made.written {
        *groups.entry(path.split('/').next().unwrap_or(path)).or_default() += 1;
    }
    let line = |(name, files): (&str, usize)| {
        let is_file = made.written.iter().any(|path| path == name);
        let shown = written(&folder.join(name));
        if is_file { shown } else { format!("{shown}/ ({})", count(files, "file")) }
    };
    groups.into_iter().map(line).collect()
}

/// The first few of many names.
fn first_few(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(3).map(String::as_str).collect();
    let dots = if names.len() > shown.len() { ", …" } else { "" };
    shown.join(", ") + dots
}

/// Whether `aileron serve` creates a project if there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InitOffer {
    /// At a terminal the person is asked.
    Ask,
    /// The person gave `--init`.
    Accepted,
}

/// Creates a project here, if there is none and the person wants one; returns whether it did.
pub(crate) fn offer(settings: &Settings, offer: InitOffer) -> Result<bool, Failure> {
    if !is_missing(settings) {
        return Ok(false);
    }
    let may_ask = io::stdin().is_terminal() && io::stderr().is_terminal();
    let tools = written(&settings.server.tools);
    match offer {
        InitOffer::Ask if !may_ask || !wants_one(&tools) => Err(Failure::Usage(format!(
            "there is no folder `{tools}` with tools; `aileron init` makes a project here, \
             `aileron serve --init` makes it and serves it"
        ))),
        InitOffer::Ask | InitOffer::Accepted => {
            let made = project::make(HERE.as_ref(), ProjectExtent::Whole)?;
            output::talk(&format!(
                "a project was made here: {}",
                count(made.written.len(), "file")
            ));
            Ok(true)
        }
    }
}

/// Whether there is no toolset yet: the settings name none, and the default folder does not exist.
fn is_missing(settings: &Settings) -> bool {
    let server = &settings.server;
    server.registry.as_os_str().is_empty()
        && server.tools == Settings::default().server.tools
        && !server.tools.exists()
}

fn wants_one(tools: &str) -> bool {
    let question =
        format!("There is no folder `{tools}` here. Make a project with the shipped tools? [Y/n] ");
    let _ = write!(anstream::stderr().lock(), "{question}");
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    let answer = line.trim().to_lowercase();
    read.is_ok_and(|bytes| bytes > 0) && ["", "y", "yes"].contains(&answer.as_str())
}
