//! The address of a client, and the proxies that may name it.

use std::{net::IpAddr, sync::Arc};

use ipnet::IpNet;

/// The address of the client of a request. Middleware attaches it to each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// The network to which limits apply: an IPv4 address, or the /64 network that a customer with IPv6 has.
    pub(crate) fn network(self) -> IpAddr {
        match self.0.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
            address @ IpAddr::V4(_) => address,
        }
    }
}

/// The networks of the trusted proxies. Only these proxies may name the address of a client.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Arc<[IpNet]>);

impl TrustedProxies {
    #[must_use]
    pub fn new(networks: &[IpNet]) -> Self {
        Self(networks.into())
    }

    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address.to_canonical()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_apply_to_a_network() {
        let network = |address: &str| ClientAddress(address.parse().unwrap()).network().to_string();
        assert_eq!(network("203.0.113.9"), "203.0.113.9");
        assert_eq!(network("::ffff:203.0.113.9"), "203.0.113.9");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }
}
