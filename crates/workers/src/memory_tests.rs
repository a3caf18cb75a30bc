//! The figures are those of the system.

use super::*;

#[test]
fn a_process_has_memory_and_an_ended_one_has_none() {
    assert!(resident_bytes(std::process::id()).unwrap() > 1 << 20);
    assert_eq!(resident_bytes(u32::MAX), None);
}

#[test]
fn a_group_has_at_least_the_memory_of_its_member() {
    let own = std::process::id();
    let group = group_of(own).unwrap();
    assert!(group_bytes(group).unwrap() >= resident_bytes(own).unwrap() / 2);
}
