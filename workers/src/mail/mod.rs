//! Mails: the transaction of a change schedules them, and a job sends them.

mod kind;
mod operator;
mod purge;
mod schedule;
mod send;
mod token;

pub(crate) use self::{
    kind::MailKind,
    purge::PurgeMails,
    schedule::{MailRecipient, NewMail, is_deliverable},
    send::SendMail,
    token::{TokenPurpose, UsedToken, take_token},
};
