//! The endpoints of purchases.

mod view;

use guildhall_common::contract::{
    character::{CharacterId, CharacterName},
    shop::{OrderLine, Purchase},
    values::{Limit, Page},
};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use crate::{
    auth::{Player, RequireRole, SenderOf},
    http::{
        character_ref::character_ref,
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::{JsonBody, bounded_list},
        paging::Paging,
        parameters::{Path, Query},
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    shop::purchases::view::{PurchaseList, PurchaseState},
    state::State,
};

pub(crate) struct Purchases {
    pub state: State,
}

/// The offers to buy, and the character that gets them: `character_id` or `character_name`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewPurchase {
    pub character_id: Option<CharacterId>,
    pub character_name: Option<CharacterName>,
    /// If an offer occurs twice, its quantities are added.
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 20>")]
    #[oai(validator(min_items = 1, max_items = 20))]
    pub lines: Vec<OrderLine>,
}

#[OpenApi(tag = "Tag::Shop")]
impl Purchases {
    /// Buy offers for a character
    ///
    /// The character may belong to another account: then it is a gift. The purchase is atomic: all lines are bought, or none.
    #[oai(path = "/shop/purchase", method = "post", operation_id = "shop_purchase")]
    async fn purchase(
        &self,
        caller: SenderOf<Purchase>,
        request: CommandRequest,
        body: JsonBody<NewPurchase>,
    ) -> Result<CommandResponse<Purchase, 201>, Problem> {
        let NewPurchase { character_id, character_name, lines } = body.0;
        let character = character_ref(character_id, character_name)?;
        self.state.commands.send(&request, &caller, Purchase { character, lines }).await
    }

    /// List my purchases, newest first
    ///
    /// Each purchase has the status and the events of its deliveries.
    #[oai(path = "/shop/purchases/:page/:limit", method = "get", operation_id = "shop_purchases")]
    async fn purchases(
        &self,
        caller: RequireRole<Player>,
        page: Path<Page>,
        limit: Path<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<PurchaseState>>, Problem> {
        let purchases = PurchaseList { account_id: caller.0.account_id()? };
        self.state.lists.private_page(&purchases, Paging::new(page.0, limit.0, after.0)).await
    }
}

guildhall_common::examples! {
    NewPurchase {
        "character_name": "Mira Stormborn", "lines": [{ "offer_id": 4, "quantity": 2, "expected_price": 25 }]
    }
}
