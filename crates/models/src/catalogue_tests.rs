//! The catalogue as a whole.

use std::collections::BTreeSet;

use super::*;

#[test]
fn names_and_files_are_unique() {
    let files: Vec<_> =
        Model::ALL.iter().flat_map(|model| model.files).map(|file| file.name).collect();
    assert_eq!(files.iter().collect::<BTreeSet<_>>().len(), files.len());
    let names = Model::names();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
}

#[test]
fn every_file_keeps_within_the_folder_and_has_a_hash() {
    for file in Model::ALL.iter().flat_map(|model| model.files) {
        assert!(!file.name.contains(['/', '\\']) && !file.name.starts_with('.'), "{}", file.name);
        assert!(file.sha256.len() == 64 && file.bytes > 0, "{}", file.name);
    }
}

/// The archive carries a Spanish model under another licence, which must not be taken out of it.
#[test]
fn only_english_weights_are_taken() {
    let members = Model::ALL.iter().flat_map(|model| model.files).map(|file| file.member);
    assert!(members.into_iter().all(|member| !member.contains("-es")));
}

#[test]
fn a_group_stands_for_its_models() {
    assert_eq!(Model::named("speech"), Some(Model::SPEECH));
    assert_eq!(Model::named("hibari"), Some(&[Model::HIBARI][..]));
    assert_eq!(Model::named("Hibari"), None);
}
