//! The endpoint that gives coins to an account or removes them.

use guildhall_common::contract::{
    account::AccountId, coins::CoinChange, payment::AdjustCoins, values::Reason,
};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use crate::{
    auth::SenderOf,
    http::{
        command_request::CommandRequest, command_response::CommandResponse, json::JsonBody, problem::Problem,
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct CoinAdjustments {
    pub state: State,
}

/// Coins to add to an account or to remove from it.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct CoinAdjustment {
    account_id: AccountId,
    /// A negative number removes coins.
    coins: CoinChange,
    reason: Reason,
}

#[OpenApi(tag = "Tag::Administration")]
impl CoinAdjustments {
    /// Adjust the coins of an account
    ///
    /// Adds coins, or removes them if the number is negative. The reason is stored in the audit log, and the player reads it.
    #[oai(path = "/admin/coins/adjust", method = "post", operation_id = "admin_adjust_coins")]
    async fn adjust(
        &self,
        caller: SenderOf<AdjustCoins>,
        request: CommandRequest,
        body: JsonBody<CoinAdjustment>,
    ) -> Result<CommandResponse<AdjustCoins>, Problem> {
        let CoinAdjustment { account_id, coins, reason } = body.0;
        self.state.commands.send(&request, &caller, AdjustCoins { account_id, coins, reason }).await
    }
}

guildhall_common::examples! {
    CoinAdjustment { "account_id": 3, "coins": 100, "reason": "Won the contest." }
}
