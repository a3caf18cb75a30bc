//! The contents of the files for editors.

use aileron_contract::ErrorType;

use super::*;

#[test]
fn the_types_have_every_error_there_is() {
    for kind in ErrorType::ALL {
        assert!(TYPES.contains(&format!("| \"{}\"", kind.as_str())), "{kind}");
    }
}

#[test]
fn a_project_has_each_file_once() {
    for extent in [ProjectExtent::Whole, ProjectExtent::Minimal] {
        let mut paths: Vec<_> = files(extent).unwrap().into_iter().map(|(path, _)| path).collect();
        let all = paths.len();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), all);
    }
}

#[test]
fn the_formats_are_json() {
    for (path, text) in files(ProjectExtent::Whole).unwrap() {
        if path.ends_with(".json") && !path.starts_with("knowledge/") {
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{path}");
        }
    }
}
