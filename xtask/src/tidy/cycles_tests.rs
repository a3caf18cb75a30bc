//! Which imports make a cycle.

use super::*;

fn check(sources: &[(&str, &str)], expected: &[&str]) {
    let modules =
        sources.iter().map(|(file, text)| (module_of(Path::new(file)).unwrap(), Paths::of(text)));
    let modules = modules.collect();
    let edges = edges(&modules);
    let found: Vec<_> = cycles(&edges)
        .iter()
        .map(|cycle| cycle.iter().map(|at| name(at)).collect::<Vec<_>>().join(" -> "))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn two_modules_that_use_each_other_are_a_cycle() {
    check(
        &[("a.rs", "use crate::b::B;\nstruct A;"), ("b.rs", "fn b() -> crate::a::A {}")],
        &["a -> b -> a"],
    );
}

#[test]
fn a_parent_that_only_reexports_is_in_no_cycle() {
    let parent = "mod one;\nmod two;\npub(crate) use self::{one::One, two::Two as Second};";
    check(
        &[
            ("parent.rs", parent),
            ("parent/one.rs", "pub(crate) struct One;"),
            ("parent/two.rs", "use crate::parent::One;\npub(crate) struct Two;"),
            ("user.rs", "use crate::parent::{One, Second};"),
        ],
        &[],
    );
}

#[test]
fn a_child_that_uses_what_its_parent_defines_is_in_a_cycle_with_it() {
    check(
        &[
            ("parent.rs", "mod child;\nstruct Limit;\nfn all() { child::check() }"),
            ("parent/child.rs", "use super::Limit;"),
        ],
        &["parent -> parent::child -> parent"],
    );
}

#[test]
fn comments_literals_and_tests_import_nothing() {
    let text = r#"
        // crate::b::B
        const TEXT: &str = "crate::b::B";
        #[cfg(test)]
        mod tests { use crate::b::B; }
    "#;
    check(&[("a.rs", text), ("b.rs", "use crate::a::A;")], &[]);
}

#[test]
fn code_behind_a_test_item_is_read() {
    let text = "#[cfg(test)]\n#[path = \"x.rs\"]\nmod x;\nuse crate::b::B;";
    check(&[("a.rs", text), ("b.rs", "use crate::a::A;")], &["a -> b -> a"]);
}

#[test]
fn a_visibility_imports_nothing() {
    check(
        &[
            ("parent.rs", "mod child;\nfn all() { child::check() }"),
            ("parent/child.rs", "pub(in crate::parent) fn check() {}"),
        ],
        &[],
    );
}

#[test]
fn a_word_that_only_looks_like_a_use_is_read_to_its_end() {
    let text = "fn f() { let quote = '\\''; g!(use { a; }); }\nuse crate::b::B;";
    check(&[("a.rs", text), ("b.rs", "use crate::a::A;")], &["a -> b -> a"]);
}
