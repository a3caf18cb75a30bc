//! The edges of each block.

use std::net::IpAddr;

use super::is_public;

fn check(addresses: &str, expected: bool) {
    for text in addresses.split_whitespace() {
        let address: IpAddr = text.parse().unwrap();
        assert_eq!(is_public(address), expected, "{text}");
    }
}

#[test]
fn special_ipv4_is_not_public() {
    check("0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255", false);
    check("127.0.0.1 127.255.255.255 169.254.0.0 169.254.169.254 172.16.0.0 172.31.255.255", false);
    check("192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.0 192.168.255.255", false);
    check("198.18.0.0 198.19.255.255 198.51.100.7 203.0.113.255 224.0.0.1 239.255.255.255", false);
    check("240.0.0.0 255.255.255.255 100.100.100.200 168.63.129.16", false);
}

#[test]
fn neighbours_of_special_ipv4_are_public() {
    check("1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255", true);
    check("128.0.0.0 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0", true);
    check("172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0", true);
    check("192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255", true);
    check("198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 8.8.8.8", true);
}

#[test]
fn special_ipv6_is_not_public() {
    check(":: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8", false);
    check("64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 100::1 1fff:ffff::1", false);
    check(
        "2001::1 2001:2::1 2001:1ff:ffff::1 2001:db8::1 2002:7f00:1::1 3fff::1 3fff:fff::1",
        false,
    );
    check("4000::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 febf::1 fec0::1 ff02::1", false);
}

#[test]
fn global_ipv6_is_public() {
    check("2000::1 2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1", true);
    check("2003::1 2606:4700:4700::1111 3ffe::1 3fff:1000::1", true);
}
