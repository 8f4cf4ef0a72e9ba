//! The latest received mails, in memory.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{sync::watch, time::timeout};

use super::received_mail::{MailContent, ReceivedMail, SmtpEnvelope};
use crate::bank::now;

/// How many mails are kept. The oldest mail is dropped first.
const MAX_MAILS: usize = 1000;

/// All kept mails. They are lost when the sandbox stops.
#[derive(Default)]
pub(crate) struct MailStore {
    mails: Mutex<StoredMails>,
    /// Changes with each mail.
    arrivals: watch::Sender<()>,
}

#[derive(Default)]
struct StoredMails {
    last_id: u64,
    newest_first: VecDeque<Arc<ReceivedMail>>,
}

/// Limits a list of mails.
pub(crate) struct ReceivedMailFilter {
    /// A recipient of the envelope. Upper and lower case do not matter.
    pub(crate) to: Option<String>,
    /// Only mails with a greater id.
    pub(crate) after: u64,
    pub(crate) limit: usize,
}

impl ReceivedMailFilter {
    fn accepts(&self, mail: &ReceivedMail) -> bool {
        let is_recipient =
            |to: &String| mail.envelope.recipients.iter().any(|recipient| recipient.eq_ignore_ascii_case(to));
        mail.id > self.after && self.to.as_ref().is_none_or(is_recipient)
    }
}

impl MailStore {
    /// Stores a mail and returns its id.
    pub(crate) fn add(&self, envelope: SmtpEnvelope, source: Vec<u8>) -> u64 {
        let (received_at, size) = (now(), source.len());
        let content = MailContent::decode(&source);
        let mut mails = self.mails.lock();
        mails.last_id += 1;
        let id = mails.last_id;
        let mail = ReceivedMail { id, received_at, envelope, content, size, source };
        mails.newest_first.push_front(Arc::new(mail));
        mails.newest_first.truncate(MAX_MAILS);
        drop(mails);
        self.arrivals.send_replace(());
        id
    }

    pub(crate) fn find(&self, id: u64) -> Option<Arc<ReceivedMail>> {
        self.mails.lock().newest_first.iter().find(|mail| mail.id == id).cloned()
    }

    /// Returns the mails that the filter accepts, newest first.
    pub(crate) fn list(&self, filter: &ReceivedMailFilter) -> Vec<Arc<ReceivedMail>> {
        let mails = self.mails.lock();
        let accepted = mails.newest_first.iter().filter(|mail| filter.accepts(mail));
        accepted.take(filter.limit).cloned().collect()
    }

    /// Returns the mails that the filter accepts as soon as there is one, or nothing after this time.
    pub(crate) async fn wait_for(
        &self,
        filter: &ReceivedMailFilter,
        time: Duration,
    ) -> Vec<Arc<ReceivedMail>> {
        // Subscribed before the list is read, so that no mail is missed between the two.
        let mut arrivals = self.arrivals.subscribe();
        let found = async {
            loop {
                let mails = self.list(filter);
                if !mails.is_empty() || arrivals.changed().await.is_err() {
                    return mails;
                }
            }
        };
        timeout(time, found).await.unwrap_or_default()
    }

    /// Deletes all mails. The ids of later mails continue.
    pub(crate) fn clear(&self) {
        self.mails.lock().newest_first.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_MAILS, MailStore, ReceivedMailFilter, SmtpEnvelope};

    #[test]
    fn oldest_mails_are_dropped_and_ids_continue() {
        let store = MailStore::default();
        let all = ReceivedMailFilter { to: None, after: 0, limit: usize::MAX };
        for _ in 0..=MAX_MAILS {
            store.add(SmtpEnvelope::default(), b"Subject: 1\r\n\r\n".to_vec());
        }
        let mails = store.list(&all);
        assert_eq!((mails.len(), mails[0].id, mails[MAX_MAILS - 1].id), (1000, 1001, 2));
        assert!(store.find(1).is_none() && store.find(2).is_some());
        store.clear();
        assert!(store.list(&all).is_empty());
        assert_eq!(store.add(SmtpEnvelope::default(), vec![]), 1002);
    }
}
