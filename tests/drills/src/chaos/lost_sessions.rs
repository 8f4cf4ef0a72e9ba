//! Sessions that the site has lost: a client did not end them, and an access token is refused before its end.

use std::time::Duration;

use super::{fault::Fault, injected_fault::InjectedFault};
use crate::session_token::EarlyRefusal;

/// A violation for each early refusal of a token. Sessions are in Postgres, so no fault may end one. Only an api with a wrong clock
/// issues a token that ends early, or takes a token for an expired one.
pub(super) fn violations(refusals: &[EarlyRefusal], faults: &[InjectedFault]) -> Vec<String> {
    let skews: Vec<_> = faults.iter().filter(|injected| injected.fault == Fault::Skew).collect();
    let overlaps = |[started, ended]: [Duration; 2]| {
        skews.iter().any(|skew| skew.started <= ended && started <= skew.ended)
    };
    refusals
        .iter()
        .filter(|refusal| !overlaps(refusal.log_in) && !overlaps(refusal.request))
        .map(|EarlyRefusal { account, key, log_in, request }| {
            format!(
                "lost: a session of {account}: its token of {:.1?} was refused at {:.1?}, key {key}",
                log_in[1], request[1]
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn fault(fault: Fault) -> InjectedFault {
        let [started, ended] = [100, 110].map(Duration::from_secs);
        InjectedFault { fault, is_alone: true, started, ended, all_ended: ended, next_started: ended }
    }

    /// The number of violations for a token of this second that is refused in that one.
    fn count(log_in: u64, request: u64, injected: Fault) -> usize {
        let second = |at: u64| [at, at + 1].map(Duration::from_secs);
        let (log_in, request) = (second(log_in), second(request));
        let refusal = EarlyRefusal { account: "mira".to_owned(), key: Uuid::nil(), log_in, request };
        violations(&[refusal], &[fault(injected)]).len()
    }

    #[test]
    fn only_a_wrong_clock_explains_an_early_refusal() {
        assert_eq!(count(50, 105, Fault::Skew), 0);
        assert_eq!(count(105, 200, Fault::Skew), 0);
        assert_eq!(count(50, 200, Fault::Skew), 1);
        assert_eq!(count(50, 105, Fault::Flush), 1);
    }
}
