//! The address of the client. `X-Forwarded-For` is accepted only from trusted proxies.

use std::net::IpAddr;

use poem::Request;

use crate::{http::client_address::ClientAddress, state::State};

/// Attaches the [`ClientAddress`] to the request.
pub(super) fn attach(request: &mut Request, state: &State) {
    if let Some(peer) = request.remote_addr().as_socket_addr() {
        let is_trusted = |address: &IpAddr| state.trusted_proxies.contains(*address);
        let address = client_address(peer.ip(), request.headers().get_all("X-Forwarded-For"), is_trusted);
        request.set_data(ClientAddress(address));
    }
}

/// The last address that is not a trusted proxy. The client can invent all addresses before it.
fn client_address<'a>(
    peer: IpAddr,
    forwarded: impl IntoIterator<Item = &'a poem::http::HeaderValue>,
    is_trusted: impl Fn(&IpAddr) -> bool,
) -> IpAddr {
    // Only the hop with an invalid byte is unreadable: the proxy may have added its own to the line of the client.
    let named = forwarded.into_iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    let hops: Vec<Option<IpAddr>> =
        named.map(|hop| str::from_utf8(hop).ok().and_then(|hop| hop.trim().parse().ok())).collect();
    let mut nearest = peer.to_canonical();
    for hop in hops.into_iter().rev() {
        match hop {
            Some(hop) if is_trusted(&nearest) => nearest = hop.to_canonical(),
            _ => break,
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderValue;

    use super::*;

    fn address(peer: &str, forwarded: &str) -> String {
        let forwarded = [HeaderValue::from_bytes(forwarded.as_bytes()).unwrap()];
        let is_trusted = |address: &IpAddr| address.to_string().starts_with("10.");
        client_address(peer.parse().unwrap(), &forwarded, is_trusted).to_string()
    }

    #[test]
    fn client_cannot_choose_its_address() {
        assert_eq!(address("203.0.113.9", "198.51.100.7"), "203.0.113.9");
    }

    #[test]
    fn trusted_proxy_names_the_client() {
        assert_eq!(address("10.0.0.1", "198.51.100.7, 203.0.113.9, 10.0.0.2"), "203.0.113.9");
    }

    #[test]
    fn invalid_byte_does_not_hide_the_client() {
        assert_eq!(address("10.0.0.1", "\u{ff}, 203.0.113.9"), "203.0.113.9");
    }

    #[test]
    fn invalid_address_ends_the_chain() {
        assert_eq!(address("10.0.0.1", "198.51.100.7, bogus"), "10.0.0.1");
    }
}
