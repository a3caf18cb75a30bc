//! Registries and rules that a server refuses at its start, with the reasons.

use super::workspace;

fn refused(settings: &str, args: &[&str]) -> String {
    let workspace = workspace();
    workspace.write("aileron.toml", settings);
    let run = workspace.run(&[&["serve", "--address", "127.0.0.1:0"], args].concat());
    assert_eq!(run.code, 2, "{}", run.stderr);
    run.stderr
}

#[test]
fn every_fault_is_named_at_the_start() {
    for (settings, faults) in [
        (
            "[[server.registries]]\nname = \"a\"\npath = \"a.json\"\n\
             [[server.registries]]\nname = \"b\"\npath = \"aileron.toml\"\n",
            &[
                "registry `a`: `a.json` cannot be read",
                "registry `b`: `aileron.toml` cannot be used",
            ][..],
        ),
        (
            "[[server.registries]]\nname = \"a\"\npath = \"x\"\n[[server.registries]]\nname = \"a\"\npath = \"y\"\n",
            &["expected each name once, found \"a\" again"],
        ),
        (
            "[[server.registries]]\nname = \"default\"\npath = \"x\"\n",
            &["`default` is the registry of [server] `tools` or `registry`"],
        ),
        (
            "[[server.assignment]]\nregistry = \"red\"\n[[server.assignment]]\npercent = 5\n",
            &[
                "rule 1 of [[server.assignment]]: there is no registry \"red\"",
                "rule 2 of [[server.assignment]]: expected `registry`",
            ],
        ),
        ("[[server.assignment]]\nregistry = \"default\"\npercent = 100.5\n", &["found 100.5"]),
    ] {
        let stderr = refused(settings, &[]);
        for fault in faults {
            assert!(stderr.contains(fault), "{fault:?} in {stderr}");
        }
    }
}

#[test]
fn flags_are_one_default_and_names() {
    for (args, fault) in [
        (
            &["--registry", "a.json", "--registry", "b.json"][..],
            "expected at most one --registry without a name",
        ),
        (
            &["--registry", "a.json", "--tools", "tools"],
            "expected --tools or one --registry without a name",
        ),
        (&["--registry", "a.json", "--watch"], "--watch and --keep-going build a folder"),
        (&["--registry", "Blue=candidate.json"], "expected a name of 1 to 40 small letters"),
    ] {
        let stderr = refused("", args);
        assert!(stderr.contains(fault), "{fault:?} in {stderr}");
    }
}

#[test]
fn a_name_that_no_rule_allows_is_explained() {
    let workspace = workspace();
    let settings = "[[server.registries]]\nname = \"blue\"\npath = \"candidate.json\"\n";
    workspace.write("aileron.toml", settings);
    let run = workspace.run(&["registries", "explain", "--registry", "blue"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("no rule allows this person to ask for the registry \"blue\""),
        "{}",
        run.stderr
    );
    let run = workspace.run(&["registries", "explain", "--claim", "acme"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("expected `name=value`, found \"acme\""), "{}", run.stderr);
    let list = workspace.ok(&["registries", "list"]).stdout;
    assert!(list.contains("blue") && list.contains("There is no rule"), "{list}");
}
