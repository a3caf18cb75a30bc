//! Which addresses belong to the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 blocks that tools may not connect to: the first address and the length of the prefix.
const SPECIAL_V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8),        // this network
    (Ipv4Addr::new(10, 0, 0, 0), 8),       // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),    // carrier NAT, metadata of Alibaba Cloud
    (Ipv4Addr::new(127, 0, 0, 0), 8),      // loopback
    (Ipv4Addr::new(168, 63, 129, 16), 32), // metadata of Azure
    (Ipv4Addr::new(169, 254, 0, 0), 16),   // link-local, metadata of most clouds
    (Ipv4Addr::new(172, 16, 0, 0), 12),    // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),     // protocol assignments, metadata of Oracle Cloud
    (Ipv4Addr::new(192, 0, 2, 0), 24),     // documentation
    (Ipv4Addr::new(192, 88, 99, 0), 24),   // 6to4 relays
    (Ipv4Addr::new(192, 168, 0, 0), 16),   // private
    (Ipv4Addr::new(198, 18, 0, 0), 15),    // benchmarks
    (Ipv4Addr::new(198, 51, 100, 0), 24),  // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),   // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),      // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),      // reserved, broadcast
];

/// The one IPv6 block of global unicast addresses. Loopback, mapped and compatible IPv4, NAT64,
/// unique-local, link-local, site-local and multicast addresses are all outside of it.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Blocks inside of [`GLOBAL_V6`] that are not public, or that embed an IPv4 address.
const SPECIAL_V6: &[(Ipv6Addr, u32)] = &[
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments, Teredo
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// Whether the address is reachable on the public internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => !SPECIAL_V4.iter().any(|block| within_v4(v4, *block)),
        IpAddr::V6(v6) => {
            within_v6(v6, GLOBAL_V6) && !SPECIAL_V6.iter().any(|block| within_v6(v6, *block))
        }
    }
}

fn within_v4(address: Ipv4Addr, (first, prefix): (Ipv4Addr, u32)) -> bool {
    (address.to_bits() ^ first.to_bits()).leading_zeros() >= prefix
}

fn within_v6(address: Ipv6Addr, (first, prefix): (Ipv6Addr, u32)) -> bool {
    (address.to_bits() ^ first.to_bits()).leading_zeros() >= prefix
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
