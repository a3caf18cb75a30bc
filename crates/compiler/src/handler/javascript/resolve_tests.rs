//! Where imports lead.

use super::*;

fn check(from: &str, request: &str, expected: &Target) {
    assert_eq!(resolve(from, request), *expected, "{request} from {from}");
}

fn module(path: &str) -> Target {
    Target::Module(path.to_owned())
}

#[test]
fn relative_paths_are_joined() {
    check("t/handler.js", "./a.js", &module("t/a.js"));
    check("t/handler.js", "./lib/a.mjs", &module("t/lib/a.mjs"));
    check("t/handler.js", "../_lib/a.ts", &module("_lib/a.ts"));
    check("t/lib/a.js", "../../_lib/./x/../b.mts", &module("_lib/b.mts"));
    check("t/handler.js", "../a.js", &module("a.js"));
}

#[test]
fn paths_out_of_the_folder_are_outside() {
    check("t/handler.js", "../../a.js", &Target::Outside);
    check("t/handler.js", "../../t/a.js", &Target::Outside);
    check("t/handler.js", "/etc/a.js", &Target::Outside);
}

#[test]
fn files_without_the_ending_of_a_module_are_told_apart() {
    check("t/handler.js", "./a", &Target::Unnamed("t/a".into()));
    check("t/handler.js", "..", &Target::Unnamed(String::new()));
    check("t/handler.js", "./a.helpers", &Target::Unnamed("t/a.helpers".into()));
    check("t/handler.js", "./a.json", &Target::Foreign(ForeignReason::Json));
    check("t/handler.js", "./a.cjs", &Target::Foreign(ForeignReason::NotAModule));
    check("t/handler.js", "./a.tsx", &Target::Foreign(ForeignReason::NotAModule));
}

#[test]
fn bare_names_are_foreign() {
    check("t/handler.js", "aileron", &Target::Aileron);
    check("t/handler.js", "aileron/x.js", &Target::Foreign(ForeignReason::Deep));
    check("t/handler.js", "fs", &Target::Foreign(ForeignReason::Node));
    check("t/handler.js", "fs/promises", &Target::Foreign(ForeignReason::Node));
    check("t/handler.js", "node:fs", &Target::Foreign(ForeignReason::Node));
    check("t/handler.js", "lodash", &Target::Foreign(ForeignReason::Package));
    check("t/handler.js", "@scope/name", &Target::Foreign(ForeignReason::Package));
    check("t/handler.js", "https://esm.sh/x.js", &Target::Foreign(ForeignReason::Url));
    check("t/handler.js", "file:///x.js", &Target::Foreign(ForeignReason::Url));
    check("t/handler.js", "", &Target::Foreign(ForeignReason::Package));
}

#[test]
fn the_import_of_a_path_is_found_again() {
    for (from, path, expected) in [
        ("t/handler.js", "t/a.js", "./a.js"),
        ("t/handler.js", "_lib/a.js", "../_lib/a.js"),
        ("t/x/y.js", "t/a.js", "../a.js"),
        ("t/handler.js", "a.js", "../a.js"),
        ("a.js", "b.js", "./b.js"),
    ] {
        assert_eq!(relative(from, path), expected);
        check(from, expected, &module(path));
    }
}
