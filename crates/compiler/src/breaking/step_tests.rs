//! Steps of releases, of versions before 1.0.0 and of pre-releases.

use super::*;

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

#[track_caller]
fn check(previous: &str, step: VersionStep, needed: &str) {
    assert_eq!(RequiredVersion::new(&version(previous), step).to_string(), needed);
}

#[track_caller]
fn check_met(previous: &str, step: VersionStep, met: &[&str], unmet: &[&str]) {
    let needed = RequiredVersion::new(&version(previous), step);
    for current in met {
        assert!(needed.met_by(&version(current)), "{current} meets {needed}");
    }
    for current in unmet {
        assert!(!needed.met_by(&version(current)), "{current} does not meet {needed}");
    }
}

#[test]
fn steps_are_ordered() {
    assert!(VersionStep::Patch < VersionStep::Minor && VersionStep::Minor < VersionStep::Major);
}

#[test]
fn a_release_needs_the_step_itself() {
    check("1.4.2", VersionStep::Major, "2.0.0 or later");
    check("1.4.2", VersionStep::Minor, "1.5.0 or later");
    check("1.4.2", VersionStep::Patch, "1.4.3 or later");
}

#[test]
fn before_one_a_minor_raise_counts_as_major_and_a_patch_as_minor() {
    check("0.4.2", VersionStep::Major, "0.5.0 or later");
    check("0.4.2", VersionStep::Minor, "0.4.3 or later");
    check("0.4.2", VersionStep::Patch, "0.4.3 or later");
    check("0.0.1", VersionStep::Major, "0.1.0 or later");
    check_met("0.4.2", VersionStep::Major, &["0.5.0", "1.0.0"], &["0.4.2", "0.4.9"]);
    check_met("0.4.2", VersionStep::Minor, &["0.4.3", "0.5.0"], &["0.4.2", "0.4.1"]);
}

#[test]
fn later_versions_are_far_enough_and_earlier_ones_are_not() {
    check_met(
        "1.4.2",
        VersionStep::Major,
        &["2.0.0", "2.1.0", "10.0.0"],
        &["1.9.9", "1.4.2", "0.9.0"],
    );
    check_met("1.4.2", VersionStep::Minor, &["1.5.0", "1.5.1", "2.0.0"], &["1.4.3", "1.4.2"]);
    check_met("1.4.2", VersionStep::Patch, &["1.4.3", "1.5.0"], &["1.4.2", "1.4.1"]);
}

#[test]
fn a_pre_release_counts_as_the_version_it_announces() {
    check_met("1.4.2", VersionStep::Major, &["2.0.0-rc.1", "3.0.0-alpha"], &["1.5.0-rc.1"]);
    check_met("1.4.2", VersionStep::Patch, &["1.4.3-rc.1"], &["1.4.2-rc.1"]);
}

#[test]
fn a_pre_release_promises_nothing_to_what_follows_it() {
    check("2.0.0-rc.1", VersionStep::Major, "a version after 2.0.0-rc.1");
    check_met(
        "2.0.0-rc.1",
        VersionStep::Major,
        &["2.0.0-rc.2", "2.0.0"],
        &["2.0.0-rc.1", "2.0.0-beta"],
    );
    assert_eq!(
        RequiredVersion::new(&version("2.0.0-rc.1"), VersionStep::Major).release(),
        version("2.0.0")
    );
}

#[test]
fn build_metadata_raises_nothing() {
    check_met("1.4.2+a", VersionStep::Patch, &["1.4.3+a"], &["1.4.2+b"]);
    check_met("1.0.0-rc.1+a", VersionStep::Patch, &["1.0.0-rc.2"], &["1.0.0-rc.1+b"]);
}

#[test]
fn the_largest_version_does_not_overflow() {
    let largest = Version::new(u64::MAX, u64::MAX, u64::MAX);
    assert!(RequiredVersion::new(&largest, VersionStep::Major).release() <= largest);
}
