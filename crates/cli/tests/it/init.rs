//! A project created by the command: complete, never overwrites files, and can be served without
//! changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::json;

use crate::serve::running::Running;
use crate::workspace::{Workspace, repository};

/// The files below a folder, with their texts.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap().map(Result::unwrap) {
            let path = entry.path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                    found.insert(name, fs::read_to_string(path).unwrap());
                }
            }
        }
    }
    found
}

fn initialized(args: &[&str]) -> Workspace {
    let workspace = Workspace::new();
    workspace.ok(&[&["init"], args].concat());
    workspace
}

#[test]
fn a_project_has_the_tools_prompts_and_records_of_the_repository() {
    let workspace = initialized(&[]);
    for (folder, name) in [("prompts", "prompts"), ("demo/knowledge", "knowledge")] {
        assert_eq!(files(&workspace.path(name)), files(&repository().join(folder)), "{folder}");
    }
    let (made, shipped) = (files(&workspace.path("tools")), files(&repository().join("tools")));
    let own =
        |name: &str| name == "Cargo.toml" || name == "README.md" || name.starts_with("_crate");
    for (name, text) in shipped.iter().filter(|(name, _)| !own(name)) {
        let text =
            text.replace("../../docs/schema/tool.schema.json", "../_schema/tool.schema.json");
        assert_eq!(made.get(name), Some(&text), "{name}");
    }
    let more: Vec<_> = made.keys().filter(|name| !shipped.contains_key(*name)).collect();
    let expected = [
        "_schema/cases.schema.json",
        "_schema/tool.schema.json",
        "_types/aileron.d.ts",
        "_types/aileron.pyi",
        "tsconfig.json",
    ];
    assert_eq!(more, expected);
    assert!(made.keys().all(|name| !own(name)), "{:?}", made.keys());
}

#[test]
fn a_project_builds_without_a_warning_and_its_cases_pass() {
    for args in [vec![], vec!["--minimal"]] {
        let workspace = initialized(&args);
        let built = workspace.ok(&["build", "--deny-warnings", "--format", "json"]);
        assert_eq!(built.codes(), [""; 0], "{args:?}");
        workspace.ok(&["test"]);
    }
}

#[test]
fn every_tool_of_a_project_names_its_format() {
    let workspace = initialized(&[]);
    for (name, text) in files(&workspace.path("tools")) {
        if let Some(folder) = name.strip_suffix("/schema.json") {
            let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
            let named = schema["$schema"].as_str().unwrap_or_else(|| panic!("{name} names none"));
            let file = workspace.path("tools").join(folder).join(named);
            assert!(file.is_file(), "{name}: {named}");
        }
    }
    let format = workspace.ok(&["schema"]).stdout;
    assert_eq!(workspace.read("tools/_schema/tool.schema.json"), format);
}

#[test]
fn what_is_there_is_not_changed() {
    let workspace = Workspace::new();
    workspace.write("aileron.toml", "[log]\nlevel = 'warn'\n");
    workspace.write("tools/kb-search/guide.md", "# mine\n");
    let run = workspace.ok(&["init"]);
    assert_eq!(workspace.read("aileron.toml"), "[log]\nlevel = 'warn'\n");
    assert_eq!(workspace.read("tools/kb-search/guide.md"), "# mine\n");
    assert!(workspace.path("tools/kb-search/schema.json").is_file());
    assert!(run.stderr.contains("2 files already exist and were not changed"), "{}", run.stderr);
    let before = files(&workspace.path("."));
    let again = workspace.ok(&["init"]);
    assert_eq!(again.stdout, "");
    assert!(again.stderr.contains("nothing was changed"), "{}", again.stderr);
    assert_eq!(files(&workspace.path(".")), before);
}

#[test]
fn a_project_may_be_made_elsewhere_and_says_what_to_do_next() {
    let workspace = Workspace::new();
    let run = workspace.ok(&["init", "agents/first", "--minimal"]);
    assert_eq!(
        run.stdout,
        "agents/first/.gitignore\nagents/first/.vscode/ (1 file)\nagents/first/aileron.toml\n\
         agents/first/tools/ (9 files)\n"
    );
    assert!(run.stderr.contains("aileron serve"), "{}", run.stderr);
    assert!(workspace.path("agents/first/tools/greet-person/handler.js").is_file());
    workspace.write("taken", "");
    let refused = workspace.run(&["init", "taken"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("cannot be written"), "{}", refused.stderr);
}

#[test]
fn an_empty_folder_is_told_how_a_project_is_made() {
    let run = Workspace::new().run(&["serve", "--address", "0"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("there is no folder `tools` with tools"), "{}", run.stderr);
    assert!(run.stderr.contains("`aileron init` makes a project here"), "{}", run.stderr);
}

#[test]
fn an_empty_folder_is_served_when_asked_to() {
    let workspace = Workspace::new();
    let server = Running::start(&workspace, &["--init", "--memory"], &[]);
    let (status, tools) = server.get("/v1/tools");
    assert!(status == 200 && tools.contains("kb_search"), "{tools}");
    let asked = json!({ "message": "Who runs the lighting review?", "stream": false });
    let (status, answered) = server.post("/api/chat", &asked);
    assert_eq!(status, 200);
    assert!(answered.to_string().contains("Mira Holt"), "{answered}");
    assert!(workspace.path("aileron.toml").is_file());
}

/// Every setting that is commented out is one, and its value is of the right kind.
#[test]
fn the_settings_of_a_project_are_right_with_and_without_their_comments() {
    for args in [vec![], vec!["--minimal"]] {
        let workspace = initialized(&args);
        workspace.ok(&["serve", "--print-config"]);
        let text = workspace.read("aileron.toml");
        let is_setting = |line: &&str| {
            let line = line.strip_prefix("# ").unwrap_or_default();
            line.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '))
        };
        assert!(text.lines().filter(is_setting).count() > 1, "{text}");
        let uncommented = text.lines().map(|line| match is_setting(&line) {
            true => &line[2..],
            false => line,
        });
        workspace.write("aileron.toml", uncommented.collect::<Vec<_>>().join("\n"));
        workspace.ok(&["serve", "--print-config"]);
    }
}
