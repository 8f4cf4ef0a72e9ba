//! Settings of earlier versions.

use std::env;

/// The settings that version 0.4.0 has replaced by constants. A command line that has one is refused, but a variable is ignored.
pub const REMOVED_SETTINGS: [&str; 11] = [
    "GUILDHALL_ACCOUNT_DELETION_DAYS",
    "GUILDHALL_CAPTCHA_DIFFICULTY",
    "GUILDHALL_CHARACTER_DELETION_DAYS",
    "GUILDHALL_COMMAND_WAIT",
    "GUILDHALL_DELIVERY_TRIES",
    "GUILDHALL_GUILD_INVITE_DAYS",
    "GUILDHALL_NEW_DEVICE_MAILS",
    "GUILDHALL_NOTIFICATION_TRIES",
    "GUILDHALL_PRESENCE_SECONDS",
    "GUILDHALL_QUEUE_SECONDS",
    "GUILDHALL_TRANSACTIONS",
];

/// Logs which variables of the environment have no effect any more.
pub fn warn_about_removed_settings() {
    for name in REMOVED_SETTINGS.into_iter().filter(|name| env::var_os(name).is_some()) {
        tracing::warn!(setting = name, "removed setting ignored");
    }
}
