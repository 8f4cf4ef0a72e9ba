//! Who may do what: each operation of the document is asked for by everybody, about things that exist.

mod guessing;
mod ranks;
mod secrets;
mod tokens;
mod world;

use std::collections::BTreeMap;

use futures_util::future::join_all;
use serde_json::{Value, json};

use self::{
    For::{Admins, Banks, Editors, Everybody, Games, Merchants, Players, Visitors},
    Of::{All, Hidden, Refused, Shows},
    Who::{Admin, Bank, Editor, Game, Garbage, Merchant, Nobody, Owner, Stranger},
    world::{Got, World},
};

/// Who asks, in this order: the owner comes last, so that what an operation changes is there for all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Nobody,
    /// With the owner's access token, spoiled.
    Garbage,
    /// With the secret of the webhook.
    Bank,
    Game,
    /// Another player.
    Stranger,
    Editor,
    Merchant,
    Admin,
    /// The player whom the things belong to.
    Owner,
}

const EVERYBODY: [Who; 9] = [Nobody, Garbage, Bank, Game, Stranger, Editor, Merchant, Admin, Owner];

/// Whom an operation is for.
#[derive(Debug, Clone, Copy)]
enum For {
    /// Nobody's token is looked at.
    Everybody,
    /// Those without a token as well, but not those with a bad one.
    Visitors,
    Players,
    Editors,
    Merchants,
    Admins,
    Games,
    Banks,
}

/// Of what the operation is, and what comes of asking for somebody else's.
#[derive(Debug, Clone, Copy)]
enum Of {
    All,
    /// What is marked in [`World`] is in the answers to these, and in no others.
    Shows(&'static [Who]),
    /// Others are told that they may not: 403 with this code.
    Refused(&'static str),
    /// To all but these there is no such thing: 404 with this code.
    Hidden(&'static str, &'static [Who]),
}

/// Later rows build on what earlier ones have done: what is destroyed is destroyed at last.
const TABLE: [(&str, For, Of); 65] = [
    ("account_register", Everybody, All),
    ("auth_log_in", Everybody, All),
    ("auth_refresh", Everybody, All),
    ("account_me", Players, Shows(&[Owner])),
    ("account_characters", Players, Shows(&[Owner])),
    ("account_create_character", Players, All),
    ("guild_list", Everybody, All),
    ("guild_view", Visitors, Shows(&[Owner])),
    ("guild_players_without", Everybody, All),
    ("guild_create", Players, Refused("not_your_character")),
    ("guild_invite", Players, Refused("not_leading")),
    ("guild_invites", Players, Refused("not_leading")),
    ("guild_accept_invite", Players, Refused("not_your_character")),
    ("guild_decline_invite", Players, Refused("not_your_character")),
    ("guild_cancel_invite", Players, Refused("not_leading")),
    ("guild_leave", Players, Refused("not_your_character")),
    ("guild_kick", Players, Refused("not_leading")),
    ("guild_change_motd", Players, Refused("not_leading")),
    ("guild_change_description", Players, Refused("not_leading")),
    ("guild_pass_leadership", Players, Refused("not_leader")),
    ("guild_change_rank", Players, Refused("not_leader")),
    ("guild_delete", Players, Refused("not_leader")),
    ("shop_category_list", Visitors, Shows(&[Merchant, Admin])),
    ("shop_category_create", Merchants, All),
    ("shop_category_find", Visitors, Hidden("category_not_found", &[Merchant, Admin])),
    ("shop_category_update", Merchants, All),
    ("shop_category_destroy", Merchants, All),
    ("shop_offer_list", Visitors, Shows(&[Merchant, Admin])),
    ("shop_on_sale", Everybody, Shows(&[])),
    ("shop_offer_create", Merchants, All),
    ("shop_offer_find", Visitors, Hidden("offer_not_found", &[Merchant, Admin])),
    ("shop_offer_update", Merchants, All),
    ("shop_purchase", Players, All),
    ("shop_purchases", Players, Shows(&[Owner])),
    ("shop_offer_destroy", Merchants, All),
    ("news_list", Everybody, Shows(&[])),
    ("news_list_dashboard", Editors, Shows(&[Editor, Admin])),
    ("news_create", Editors, All),
    ("news_find", Visitors, Hidden("post_not_found", &[Editor, Admin])),
    ("news_edit", Editors, All),
    ("news_destroy", Editors, All),
    ("payment_packages", Everybody, All),
    ("payment_create", Players, All),
    ("payment_find", Players, Hidden("payment_not_found", &[Admin, Owner])),
    ("payment_qrcode_png", Players, Hidden("payment_not_found", &[Admin, Owner])),
    ("payment_qrcode_svg", Players, Hidden("payment_not_found", &[Admin, Owner])),
    ("payment_events", Players, Hidden("payment_not_found", &[Admin, Owner])),
    ("payment_cancel", Players, Hidden("payment_not_found", &[Owner])),
    ("payment_refund", Admins, All),
    ("payment_webhook", Banks, All),
    ("payment_webhook_pix", Banks, All),
    ("operation_find", Visitors, Hidden("operation_not_found", &[Owner])),
    ("game_upsert_characters", Games, All),
    ("game_lease_deliveries", Games, All),
    ("game_acknowledge_deliveries", Games, All),
    ("game_refuse_deliveries", Games, All),
    ("admin_payments", Admins, All),
    ("admin_payment", Admins, All),
    ("admin_notifications", Admins, All),
    ("admin_replay_notification", Admins, All),
    ("admin_deliveries", Admins, All),
    ("admin_resend_delivery", Admins, All),
    ("admin_adjust_coins", Admins, All),
    ("admin_audit", Admins, All),
    // Ends the sessions that all others use.
    ("auth_log_out", Players, All),
];

/// Those who may, and for whom nothing comes of it: they have no coins, or come after somebody who may as well.
const IN_VAIN: [(&str, &[Who], u16, &str); 4] = [
    ("shop_purchase", &[Stranger, Editor, Merchant, Admin], 409, "not_enough_coins"),
    ("shop_category_destroy", &[Admin], 404, "category_not_found"),
    ("shop_offer_destroy", &[Admin], 404, "offer_not_found"),
    ("news_destroy", &[Admin], 404, "post_not_found"),
];

impl For {
    /// As the document says it.
    fn security(self) -> Value {
        match self {
            Everybody => json!([]),
            Visitors => json!([{ "bearerAuth": [] }, {}]),
            Players | Editors | Merchants | Admins => json!([{ "bearerAuth": [] }]),
            Games => json!([{ "serviceToken": [] }]),
            Banks => json!([{ "webhookSecret": [] }, { "webhookSignature": [] }]),
        }
    }

    /// Who has the role. Administrators have every role but that of a game.
    fn has(self, who: Who) -> bool {
        match self {
            Everybody | Visitors => true,
            Players => who >= Stranger,
            Editors => [Editor, Admin].contains(&who),
            Merchants => [Merchant, Admin].contains(&who),
            Admins => who == Admin,
            Games => who == Game,
            Banks => who == Bank,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// 401: who asks has proved nothing.
    Unknown,
    Problem(u16, &'static str),
    /// Let in, and then this.
    InVain(u16, &'static str),
    Done,
    /// Done, and what is marked is in the answer, or is not.
    Shown(bool),
}

fn verdict((id, whom, of): (&str, For, Of), who: Who) -> Verdict {
    let unknown = match whom {
        Everybody => false,
        Visitors => who == Garbage,
        // No role and no session makes a bank.
        Banks => who != Bank,
        _ => who < Game,
    };
    let in_vain = IN_VAIN.into_iter().find(|(of, whom, ..)| *of == id && whom.contains(&who));
    match of {
        _ if unknown => Verdict::Unknown,
        _ if !whom.has(who) => Verdict::Problem(403, "role_missing"),
        All => in_vain.map_or(Verdict::Done, |(.., status, code)| Verdict::InVain(status, code)),
        Shows(to) => Verdict::Shown(to.contains(&who)),
        Refused(_) if who == Owner => Verdict::Done,
        Refused(code) => Verdict::Problem(403, code),
        Hidden(_, seen_by) if seen_by.contains(&who) => Verdict::Done,
        Hidden(code, _) => Verdict::Problem(404, code),
    }
}

impl Got {
    fn is(&self, expected: Verdict) -> bool {
        let done = [200, 201].contains(&self.status);
        let fits = match expected {
            Verdict::Unknown => self.status == 401 && self.code == "unauthorized",
            Verdict::Problem(status, code) | Verdict::InVain(status, code) => {
                self.status == status && self.code == code
            }
            Verdict::Done => done,
            Verdict::Shown(shows) => done && self.shows == shows,
        };
        fits && self.challenge == (self.status == 401)
    }
}

fn document() -> Value {
    serde_json::from_str(&guildhall_api::document()).unwrap()
}

/// The operations of the document by their ids, with method and path.
fn operations(document: &Value) -> BTreeMap<&str, (&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
    });
    operations.map(|found| (found.2["operationId"].as_str().unwrap(), found)).collect()
}

#[test]
fn the_table_and_the_document_know_the_same_operations() {
    let document = document();
    let mut operations = operations(&document);
    for row in TABLE {
        let (id, whom, _) = row;
        let (_, _, operation) = operations
            .remove(id)
            .unwrap_or_else(|| panic!("{id} is not documented, or is twice in the table"));
        assert_eq!(operation["security"], whom.security(), "{id}");
        for who in EVERYBODY {
            let status = match verdict(row, who) {
                Verdict::Unknown => 401,
                Verdict::Problem(status, _) | Verdict::InVain(status, _) => status,
                _ => continue,
            };
            assert!(
                operation["responses"].get(status.to_string()).is_some(),
                "{id} does not document its {status}"
            );
        }
    }
    assert!(operations.is_empty(), "these are not in the table: {:?}", operations.keys());
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_may_do_what_the_table_says_and_nothing_else() {
    let document = document();
    let operations = operations(&document);
    let made = World::make().await;
    let world = &made;
    let (mut cells, mut wrong) = (0, vec![]);
    for row in TABLE {
        let (id, whom, _) = row;
        let Some((method, path, operation)) = operations.get(id) else { continue };
        let cell = |who| async move {
            let request = world.request(id, method, path, who).await;
            assert_eq!(request.body.is_some(), operation.get("requestBody").is_some(), "{id}");
            (who, world.ask(request, id, who).await)
        };
        // Who is refused has changed nothing, and who may look as they please are not in each other's way.
        let at_once = |who: &Who| {
            let refused = matches!(verdict(row, *who), Verdict::Unknown | Verdict::Problem(..));
            refused || matches!(whom, Everybody | Visitors)
        };
        let (at_once, in_turn): (Vec<Who>, Vec<Who>) = EVERYBODY.into_iter().partition(at_once);
        let mut answered = join_all(at_once.into_iter().map(cell)).await;
        for who in in_turn {
            answered.push(cell(who).await);
        }
        for (who, got) in answered {
            let expected = verdict(row, who);
            cells += 1;
            if !got.is(expected) {
                wrong.push(format!("{id} by {who:?}: got {got:?}, expected {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {cells} cells are wrong:\n  {}", wrong.len(), wrong.join("\n  "));
    assert_eq!(cells, operations.len() * EVERYBODY.len());
    made.site.finish().await;
}
