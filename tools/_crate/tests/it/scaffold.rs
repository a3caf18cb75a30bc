//! The native tool that `aileron new --handler rust` writes compiles against the runtime, and
//! its cases hold.

use aileron_capability::{Native, Natives, native};
use aileron_compiler::{Memory, Options, compile};
use aileron_contract::{Artifact, Mode};
use aileron_runtime::{Handlers, Registry, cases};

use crate::cases::respond;
use crate::toolset::text;

#[allow(unreachable_pub)]
#[path = "../../../../crates/cli/src/scaffold/handler.rs.in"]
mod handler;

const HANDLER: &str = include_str!("../../../../crates/cli/src/scaffold/handler.rs.in");
const SCHEMA: &str = include_str!("../../../../crates/cli/src/scaffold/schema.json.in");
const GUIDE: &str = include_str!("../../../../crates/cli/src/scaffold/guide.md.in");
const CASES: &str = include_str!("../../../../crates/cli/src/scaffold/cases.json.in");

fn filled(template: &str) -> String {
    template
        .replace("{{id}}", "greet_person")
        .replace("{{category}}", "utility")
        .replace("{{sideEffects}}", "none")
        .replace("{{idempotent}}", "true")
        .replace("{{requiresConfirmation}}", "false")
        .replace("{{runtime}}", "")
}

fn artifact() -> String {
    let mut tree = Memory::new("");
    let files = [
        ("handler.rs", HANDLER),
        ("schema.json", SCHEMA),
        ("guide.md", GUIDE),
        ("cases.json", CASES),
    ];
    for (name, template) in files {
        tree.insert(format!("greet-person/{name}"), filled(template));
    }
    text(&compile(&tree, &Options::default(), &|_, _| {}))
}

#[tokio::test]
async fn a_fresh_native_tool_does_what_its_cases_say() {
    let artifact = artifact();
    let hash = Artifact::read(&artifact).unwrap().tools[0].handler.hash().to_string();
    let native = Native {
        tool: "greet_person",
        hash: hash.leak(),
        run: |args, context| native::call(handler::execute, args, context),
    };
    let handlers = Handlers { natives: Natives::new([native]), ..Handlers::default() };
    let registry = Registry::load(&artifact, &handlers).unwrap();
    let tool = registry.tool("greet_person").unwrap();
    for case in cases::read(CASES).unwrap() {
        let response = respond(tool, &case, Mode::Text).await;
        assert_eq!(cases::differences(&case.expect, &response), [""; 0], "{}", case.name);
    }
}
