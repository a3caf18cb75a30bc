//! `aileron new`: creates a tool directory that builds without changes.

use std::path::Path;

use aileron_contract::ToolId;

use crate::args::{NewArgs, NewHandler};
use crate::commands::findings::written;
use crate::output::{self, ExitOutcome, Failure};
use crate::project;
use crate::scaffold;

pub(crate) fn run(args: &NewArgs) -> Result<ExitOutcome, Failure> {
    let id = tool_id(&args.name)?;
    let folder = args.tools.join(id.directory());
    if folder.exists() {
        return Err(Failure::Usage(format!(
            "`{}` exists already; choose another name",
            written(&folder)
        )));
    }
    for (name, text) in scaffold::files(&id, args.category, args.handler) {
        project::write(&folder.join(name), &text)?;
        output::data(&written(&folder.join(name)))?;
    }
    // The files for editors are shared by all tools.
    for (name, text) in project::for_editors() {
        project::write(&args.tools.join(name), &text)?;
    }
    output::talk(&next_step(&id, args));
    Ok(ExitOutcome::Fine)
}

fn next_step(id: &ToolId, args: &NewArgs) -> String {
    match args.handler {
        NewHandler::Js | NewHandler::Ts => format!(
            "tool `{id}` made; build it with `aileron build`, run its cases with `aileron test`"
        ),
        NewHandler::Rust => format!(
            "tool `{id}` made. Its handler is native: it runs in a binary that it was compiled into, and this one \
             reports AIL-H016. In a checkout of aileron, this command compiles it in and runs its cases:\n  {}\n\
             A handler in JavaScript or TypeScript needs no compiler (`--handler js`, `--handler ts`).",
            native_command(id, &args.tools)
        ),
    }
}

/// The command that builds a binary with the handlers of a folder and runs the cases of a tool. The tools
/// of the checkout itself are always compiled in.
fn native_command(id: &ToolId, tools: &Path) -> String {
    let absolute = std::path::absolute(tools).unwrap_or_else(|_| tools.to_owned());
    if absolute.join("_crate/build.rs").is_file() {
        return format!("cargo run -p aileron-cli -- test {id}");
    }
    let folder = quoted(&written(&absolute));
    format!("AILERON_NATIVE_TOOLS={folder} cargo run -p aileron-cli -- test {id} --tools {folder}")
}

/// A word of a shell command.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Both `greet-person` and `greet_person` name the tool `greet_person`.
fn tool_id(name: &str) -> Result<ToolId, Failure> {
    ToolId::new(name.replace('-', "_")).map_err(|_| {
        Failure::Usage(format!(
            "{name:?} cannot name a tool: expected lower-case letters, digits and dashes, a letter first, at most 64 characters"
        ))
    })
}
