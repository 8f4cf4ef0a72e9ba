//! The commands about notifications, and their outputs.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{message::Notification, provider::Provider};
use crate::{contract::values::Reason, id_types};

id_types! {
    /// The id of a stored notification.
    NotificationId
}

/// Stores notifications of a provider and schedules their processing. A command of the domain `payments`.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoreNotifications {
    pub provider: Provider,
    pub notifications: Vec<Notification>,
}

/// Processes a parked notification again. A command of the domain `payments`.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReplayNotification {
    pub notification_id: NotificationId,
}

/// Gives up a parked notification. A command of the domain `payments`.
#[derive(Debug, Serialize, Deserialize)]
pub struct DiscardNotification {
    pub notification_id: NotificationId,
    pub reason: Reason,
}

/// Notifications were stored.
#[derive(Debug, Serialize, Deserialize)]
pub struct NotificationsStored {
    /// The number of stored notifications. Repetitions of one notification in the same request count once.
    pub kept: i64,
}

/// A notification will be processed again.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct NotificationReplayed {
    pub notification_id: NotificationId,
}

/// A notification was given up.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct NotificationDiscarded {
    pub notification_id: NotificationId,
}

crate::examples! {
    NotificationDiscarded { "notification_id": 7 }
    NotificationReplayed { "notification_id": 7 }
}
