//! The allowed addresses of a name.

use std::net::SocketAddr;

use super::{NotPublic, public_only};

fn check(found: &[&str], expected: Result<&[&str], NotPublic>) {
    let parse = |list: &[&str]| -> Vec<SocketAddr> {
        list.iter().map(|address| address.parse().unwrap()).collect()
    };
    assert_eq!(public_only(parse(found).into_iter()), expected.map(parse), "{found:?}");
}

#[test]
fn private_addresses_are_left_out() {
    check(&["8.8.8.8:0", "10.0.0.1:0", "[::1]:0"], Ok(&["8.8.8.8:0"]));
}

#[test]
fn a_name_without_a_public_address_is_refused() {
    check(&["10.0.0.1:0", "[fd00::1]:0"], Err(NotPublic));
    check(&[], Err(NotPublic));
}
