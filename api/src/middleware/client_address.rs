//! The caller's address. `X-Forwarded-For` is believed from trusted proxies only.

use crate::{http::request_data::ClientAddress, middleware::Next, state::State};
use std::net::IpAddr;

use poem::{Endpoint, Request, Response, Result};

pub(super) async fn find(next: Next, mut request: Request) -> Result<Response> {
    if let (Some(state), Some(peer)) = (request.data::<State>(), request.remote_addr().as_socket_addr()) {
        let trusted =
            |address: &IpAddr| state.trusted_proxies.iter().any(|network| network.contains(address));
        let address = client(peer.ip(), request.headers().get_all("X-Forwarded-For"), trusted);
        request.set_data(ClientAddress(address));
    }
    next.call(request).await
}

/// The nearest address that is not one of our proxies: everything left of it is the
/// client's own invention.
fn client<'a>(
    peer: IpAddr,
    forwarded: impl IntoIterator<Item = &'a poem::http::HeaderValue>,
    trusted: impl Fn(&IpAddr) -> bool,
) -> IpAddr {
    let named =
        forwarded.into_iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let hops: Vec<Option<IpAddr>> = named.map(|hop| hop.trim().parse().ok()).collect();
    let mut nearest = peer.to_canonical();
    for hop in hops.into_iter().rev() {
        match hop {
            Some(hop) if trusted(&nearest) => nearest = hop.to_canonical(),
            _ => break,
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderValue;

    use super::*;

    fn seen(peer: &str, forwarded: &str) -> String {
        let forwarded = [HeaderValue::from_str(forwarded).unwrap()];
        let proxy = |address: &IpAddr| address.to_string().starts_with("10.");
        client(peer.parse().unwrap(), &forwarded, proxy).to_string()
    }

    #[test]
    fn a_stranger_cannot_choose_an_address() {
        assert_eq!(seen("203.0.113.9", "198.51.100.7"), "203.0.113.9");
    }

    #[test]
    fn a_proxy_is_believed_up_to_the_first_stranger() {
        assert_eq!(seen("10.0.0.1", "198.51.100.7, 203.0.113.9, 10.0.0.2"), "203.0.113.9");
    }

    #[test]
    fn nonsense_ends_the_chain() {
        assert_eq!(seen("10.0.0.1", "198.51.100.7, bogus"), "10.0.0.1");
    }
}
