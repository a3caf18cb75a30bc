//! `aileron new`: creates a tool directory that builds without changes.

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
    output::talk(&next_step(&id, args.handler));
    Ok(ExitOutcome::Fine)
}

fn next_step(id: &ToolId, handler: NewHandler) -> String {
    match handler {
        NewHandler::Js | NewHandler::Ts => format!(
            "tool `{id}` made; build it with `aileron build`, run its cases with `aileron test`"
        ),
        NewHandler::Rust => format!(
            "tool `{id}` made. Its handler is native: it runs only in a binary that it was compiled into. Put its \
             folder into `tools/` of a checkout of aileron and build there: `cargo build --release -p aileron-cli`. \
             Until then `aileron build` reports AIL-H016. A handler in JavaScript or TypeScript needs no compiler \
             (`--handler js`, `--handler ts`)."
        ),
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
