//! Mails: the transaction of a change schedules them, and a job sends them.

mod kind;
mod operator;
mod schedule;
mod send;
mod token;

use guildhall_common::contract::{command::Failure, mail::MailCommand};

pub(crate) use self::{
    kind::MailKind,
    schedule::{NewMail, Recipient, is_deliverable},
    send::send,
    token::{TokenPurpose, UsedToken, take_token},
};
use crate::engine::{
    rule::{Context, Progress},
    rules::Rules,
};

impl Rules for MailCommand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Progress, Failure> {
        match self {
            Self::ResendMail(command) => cx.run(command).await,
            Self::DiscardMail(command) => cx.run(command).await,
        }
    }
}
