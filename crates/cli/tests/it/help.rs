//! The help texts of the command.

use crate::workspace::Workspace;

#[test]
fn help_goes_to_stdout_and_names_every_command() {
    let run = Workspace::new().ok(&["--help"]);
    for command in [
        "init",
        "new",
        "build",
        "check",
        "migrate",
        "explain",
        "diff",
        "list",
        "describe",
        "call",
        "chat",
        "test",
        "kb",
        "registries",
        "audit",
        "stats",
        "providers",
        "simulate",
        "schema",
        "completions",
    ] {
        assert!(
            run.stdout.contains(&format!("\n  {command} ")),
            "{command} is not in\n{}",
            run.stdout
        );
    }
    assert_eq!(run.stderr, "");
}

#[test]
fn wrong_usage_exits_with_two_and_talks_on_stderr() {
    for args in [
        &["frobnicate"][..],
        &["build", "--format", "xml"],
        &["explain", "AIL-Z999"],
        &["describe", "--provider", "bing", "x"],
        &["audit"],
        &["audit", "show"],
        &["audit", "replay"],
        &["call"],
        &["test", "--format", "sarif"],
        &["stats", "--format", "sarif"],
        &[],
    ] {
        let run = Workspace::new().run(args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(!run.stderr.is_empty());
    }
}

#[test]
fn audit_and_stats_explain_themselves() {
    let run = Workspace::new().ok(&["audit", "--help"]);
    for command in ["tail", "show", "verify", "export", "replay"] {
        assert!(run.stdout.contains(&format!("\n  {command} ")), "{}", run.stdout);
    }
    let tail = Workspace::new().ok(&["audit", "tail", "--help"]);
    for option in ["--follow", "--since", "--until", "--conversation", "--outcome", "--store"] {
        assert!(tail.stdout.contains(option), "{}", tail.stdout);
    }
    let stats = Workspace::new().ok(&["stats", "--help"]);
    assert!(stats.stdout.contains("refused calls are counted separately"), "{}", stats.stdout);
}

#[test]
fn call_and_test_explain_themselves() {
    let call = Workspace::new().ok(&["call", "--help"]).stdout;
    for word in ["--mode", "--conversation", "--scope", "--confirm", "--dry-run", "--memory"] {
        assert!(call.contains(word), "{word}: {call}");
    }
    assert!(call.contains("stdin is a terminal, the command asks you"), "{call}");
    let test = Workspace::new().ok(&["test", "--help"]).stdout;
    assert!(test.contains("as if it were approved"), "{test}");
    let help = Workspace::new().ok(&["--help"]).stdout;
    assert!(!help.contains("js-worker"), "{help}");
}

#[test]
fn models_explains_itself_with_examples() {
    let models = Workspace::new().ok(&["models", "--help"]).stdout;
    for command in ["list", "fetch", "verify", "remove"] {
        assert!(models.contains(&format!("\n  {command} ")), "{models}");
    }
    assert!(models.contains("aileron models fetch speech --from /mnt"), "{models}");
}

#[test]
fn kb_explains_itself_with_examples() {
    let workspace = Workspace::new();
    let kb = workspace.ok(&["kb", "--help"]).stdout;
    for command in ["ingest", "search", "get", "stats", "export", "remove"] {
        assert!(kb.contains(&format!("\n  {command} ")), "{kb}");
    }
    let ingest = workspace.ok(&["kb", "ingest", "--help"]).stdout;
    for word in ["--prune", "--rebuild", "--dry-run", "--watch", "aileron kb ingest demo/knowledge"]
    {
        assert!(ingest.contains(word), "{word}: {ingest}");
    }
    let search = workspace.ok(&["kb", "search", "--help"]).stdout;
    assert!(search.contains("By default all three namespaces are searched"), "{search}");
}

#[test]
fn an_unknown_code_gets_the_closest() {
    let run = Workspace::new().run(&["explain", "missing-feild"]);
    assert_eq!(
        run.stderr,
        "error: there is no code \"missing-feild\"; did you mean AIL-S001? `aileron explain` lists all of them\n"
    );
}

#[test]
fn explain_prints_the_page_of_every_code() {
    let workspace = Workspace::new();
    let list = workspace.ok(&["explain", "--format", "json"]).json();
    let rules = list.as_array().unwrap();
    assert!(rules.len() > 80, "{}", rules.len());
    for rule in rules {
        let page = rule["explanation"].as_str().unwrap();
        assert!(page.contains("## Why") && page.contains("## Fix"), "{page}");
    }
    let one = workspace.ok(&["explain", "ail-s001"]);
    assert!(
        one.stdout.starts_with("# AIL-S001: missing-field\n\nSeverity: error\n"),
        "{}",
        one.stdout
    );
}

#[test]
fn schema_prints_the_published_format() {
    let workspace = Workspace::new();
    let published = std::fs::read_to_string(
        crate::workspace::repository().join("docs/schema/tool.schema.json"),
    )
    .unwrap();
    assert_eq!(workspace.ok(&["schema"]).stdout, published);
    assert_eq!(workspace.ok(&["schema", "--cases"]).json()["title"], "Aileron cases");
}

#[test]
fn completions_are_scripts() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = Workspace::new().ok(&["completions", shell]);
        assert!(run.stdout.contains("aileron"), "{shell}");
    }
}

#[test]
fn a_full_disk_is_a_failure() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        println!("skipped: there is no /dev/full");
        return;
    };
    let output = Workspace::new().command().arg("schema").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: stdout cannot be written"));
}

#[test]
fn a_reader_that_leaves_early_is_no_panic() {
    let workspace = Workspace::new();
    let mut child = workspace
        .command()
        .arg("schema")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}
