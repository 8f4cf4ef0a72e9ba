//! Fault injection: the settings of `PUT /sandbox/faults`. `docs/SANDBOX.md` describes each fault.

mod api;
mod mails;
mod notifications;
mod trigger;

use serde::{Deserialize, Serialize};

pub(crate) use self::{
    api::{ApiFaults, RequestFault, TOKEN_OPERATION},
    mails::{MailFaults, RefusalStep, SmtpStep},
    notifications::{DeliveryPlan, NotificationFaults},
};

/// All faults.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct FaultSettings {
    pub(crate) notifications: NotificationFaults,
    pub(crate) api: ApiFaults,
    pub(crate) mails: MailFaults,
}
