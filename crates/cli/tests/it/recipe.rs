//! The recipe of a two-stage tool, typed in as `docs/two-stage-tools.md` prints it: each file under
//! its name, each command with the output that is shown.

use std::net::{TcpListener, TcpStream};
use std::process::Command;

use crate::readme::{Part, run};
use crate::workspace::{Workspace, repository};

/// The port that the page names; the test takes a free one.
const PORT: &str = "8765";

/// Ends the service if the test does not get that far.
struct Service<'a>(&'a Workspace);

impl Drop for Service<'_> {
    fn drop(&mut self) {
        if let Ok(id) = std::fs::read_to_string(self.0.path("rooms.pid")) {
            let _ = Command::new("kill").arg(id.trim()).output();
        }
    }
}

fn wait_for(port: u16) {
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        std::thread::yield_now();
    }
}

#[test]
fn the_recipe_of_a_two_stage_tool_works_as_printed() {
    let page = std::fs::read_to_string(repository().join("docs/two-stage-tools.md")).unwrap();
    let (_, recipe) = page.split_once("\n## Build one in JavaScript\n").unwrap();
    let (recipe, _) = recipe.split_once("\n## Voice\n").unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let workspace = Workspace::new();
    let _service = Service(&workspace);
    let parts = Part::all(&recipe.replace(PORT, &free.to_string()));
    assert!(parts.len() > 18, "{}", parts.len());
    for part in parts {
        match part {
            Part::File { path, text } => workspace.write(&path, text),
            Part::Run(step) => {
                run(&workspace, &step);
                if step.command.starts_with("python3") {
                    wait_for(free);
                }
            }
        }
    }
}
