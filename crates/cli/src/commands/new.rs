//! `aileron new`: creates a tool directory that builds without changes.

use std::path::Path;

use aileron_contract::ToolId;

use crate::args::NewArgs;
use crate::commands::findings::written;
use crate::output::{self, ExitOutcome, Failure};
use crate::project;
use crate::scaffold::{self, Code};

const UNFIT: &str = "this runtime does not run handlers in that language: expected `--handler js` or `ts` for the \
                     runtime node, `py` for python, and `js`, `ts` or `rust` without `--runtime`";

pub(crate) fn run(args: &NewArgs) -> Result<ExitOutcome, Failure> {
    let id = tool_id(&args.name)?;
    let code =
        Code::of(args.runtime, args.handler).ok_or_else(|| Failure::Usage(UNFIT.to_owned()))?;
    let folder = args.tools.join(id.directory());
    if folder.exists() {
        return Err(Failure::Usage(format!(
            "`{}` exists already; choose another name",
            written(&folder)
        )));
    }
    for (name, text) in scaffold::files(&id, args.category, code) {
        project::write(&folder.join(name), &text)?;
        output::data(&written(&folder.join(name)))?;
    }
    // The files for editors are shared by all tools.
    for (name, text) in project::for_editors() {
        project::write(&args.tools.join(name), &text)?;
    }
    output::talk(&next_step(&id, code, &args.tools));
    Ok(ExitOutcome::Fine)
}

fn next_step(id: &ToolId, code: Code, tools: &Path) -> String {
    match code {
        Code::NodeJs | Code::NodeTs => format!(
            "tool `{id}` made. Its handler is trusted code: Node.js runs it with your rights. Packages: `npm install <name>` \
             beside it or above. Build it with `aileron build`, run its cases with `aileron test`"
        ),
        Code::Python => format!(
            "tool `{id}` made. Its handler is trusted code: Python runs it with your rights. Packages: a requirements.txt or \
             pyproject.toml beside it or above, installed into a `.venv` there. Build it with `aileron build`, run its cases \
             with `aileron test`"
        ),
        Code::SandboxJs | Code::SandboxTs => format!(
            "tool `{id}` made; build it with `aileron build`, run its cases with `aileron test`"
        ),
        Code::Native => format!(
            "tool `{id}` made. Its handler is native: it runs in a binary that it was compiled into, and this one \
             reports AIL-H016. In a checkout of aileron, this command compiles it in and runs its cases:\n  {}\n\
             A handler in JavaScript or TypeScript needs no compiler (`--handler js`, `--handler ts`).",
            native_command(id, tools)
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
