//! `aileron new`: a tool directory that builds at once.

use std::fs;
use std::io::Write;
use std::path::Path;

use aileron_contract::ToolId;

use crate::args::{NewArgs, NewHandler};
use crate::commands::findings::written;
use crate::output::{self, Failure, Outcome};
use crate::scaffold;

pub(crate) fn run(args: &NewArgs) -> Result<Outcome, Failure> {
    let id = tool_id(&args.name)?;
    let folder = args.tools.join(id.directory());
    if folder.exists() {
        return Err(Failure::Usage(format!(
            "`{}` exists already; choose another name",
            written(&folder)
        )));
    }
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
    for (name, text) in scaffold::files(&id, args.category, args.handler) {
        write(&folder.join(name), &text)?;
        output::data(&written(&folder.join(name)))?;
    }
    output::talk(&next_step(&id, args.handler));
    Ok(Outcome::Fine)
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

/// `greet-person` and `greet_person` both mean the tool `greet_person`.
fn tool_id(name: &str) -> Result<ToolId, Failure> {
    ToolId::new(name.replace('-', "_")).map_err(|_| {
        Failure::Usage(format!(
            "{name:?} cannot name a tool: expected lower-case letters, digits and dashes, a letter first, at most 64 characters"
        ))
    })
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let file = fs::OpenOptions::new().write(true).create_new(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("`{}` cannot be written: {error}", written(path)))
}
