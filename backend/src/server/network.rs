//! The addresses of this machine, by which others of its network reach it.

use std::net::IpAddr;

use hearth_protocol::Result;
use sysinfo::Networks;

use crate::files::blocking;

/// The addresses, those of IPv4 where there are any; none where the system does not tell them.
pub(super) async fn addresses() -> Vec<IpAddr> {
    let told: Result<_> = blocking(|| {
        let networks = Networks::new_with_refreshed_list();
        let mut networks: Vec<_> = networks.iter().collect();
        networks.sort_by_key(|(name, _)| name.as_str());
        let addresses = networks
            .into_iter()
            .flat_map(|(_, network)| network.ip_networks());
        Ok(reached(addresses.map(|network| network.addr)))
    })
    .await;
    told.unwrap_or_else(|error| {
        tracing::warn!(%error, "the addresses of this machine are not known");
        Vec::new()
    })
}

/// Those by which others can reach it. Those of IPv6 are long and change often, and are told where there are no others.
fn reached(addresses: impl Iterator<Item = IpAddr>) -> Vec<IpAddr> {
    let mut reached: Vec<IpAddr> = addresses.filter(is_reached).collect();
    if reached.iter().any(IpAddr::is_ipv4) {
        reached.retain(IpAddr::is_ipv4);
    }
    let mut seen = std::collections::HashSet::new();
    reached.retain(|address| seen.insert(*address));
    reached
}

fn is_reached(address: &IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            !address.is_loopback() && !address.is_link_local() && !address.is_unspecified()
        }
        IpAddr::V6(address) => {
            !address.is_loopback() && !address.is_unicast_link_local() && !address.is_unspecified()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_others_can_reach_are_told() {
        let cases: [(&[&str], &[&str]); 4] = [
            (&["127.0.0.1", "::1"], &[]),
            (
                &["127.0.0.1", "192.168.1.5", "fe80::1", "2001:db8::7", "10.0.0.2"],
                &["192.168.1.5", "10.0.0.2"],
            ),
            (&["169.254.3.4", "fe80::1", "2001:db8::7"], &["2001:db8::7"]),
            (&["192.168.1.5", "192.168.1.5"], &["192.168.1.5"]),
        ];
        let parse = |texts: &[&str]| -> Vec<IpAddr> {
            texts
                .iter()
                .map(|text| text.parse().expect("an address"))
                .collect()
        };
        for (all, told) in cases {
            assert_eq!(reached(parse(all).into_iter()), parse(told), "{all:?}");
        }
    }

    /// By an address of this machine that is told, it is reached.
    #[tokio::test]
    async fn this_machine_has_the_addresses_that_are_told() {
        for address in addresses().await {
            std::net::TcpListener::bind((address, 0)).expect("an address of this machine");
        }
    }
}
