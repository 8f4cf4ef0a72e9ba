//! Asking for the deletion of an account, and cancelling it.

use serde_json::{Value, json};

use super::email_changes::verified_player;
use crate::support::{
    client::{Client, Response},
    community::{PASSWORD, StaffRole},
    mailbox::Mailbox,
    site::Site,
    wait::wait_until,
};

pub(crate) async fn ask_for_deletion(player: &Client) -> Response {
    player.post("/accounts/delete", json!({ "password": PASSWORD })).await
}

/// Lets the grace period of all scheduled deletions end, and waits until this account is deleted.
pub(crate) async fn delete_now(site: &Site, account_id: i64) {
    site.execute("update accounts set deletion_due_at = now() where deletion_due_at is not null").await;
    site.execute("update jobs set due_at = now() where job ->> 'name' = 'delete_account'").await;
    let deleted =
        format!("select count(*) from accounts where account_id = {account_id} and deleted_at is not null");
    wait_until("the account is deleted", async || site.count(&deleted).await == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_asks_and_cancels() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    mira.post("/accounts/cancel-deletion", Value::Null).await.problem(409, "deletion_not_scheduled");
    mira.post("/accounts/delete", json!({ "password": "wrong horse" })).await.problem(403, "wrong_password");
    assert_eq!(mira.get("/accounts/me").await.ok().get("deletion_due_at"), None);

    let scheduled = ask_for_deletion(&mira).await.result();
    assert_eq!(mira.get("/accounts/me").await.ok()["deletion_due_at"], scheduled["due_at"]);
    ask_for_deletion(&mira).await.problem(409, "deletion_scheduled");
    let days = "select count(*) from accounts
                where deletion_due_at between now() + interval '13 days' and now() + interval '14 days'";
    assert_eq!(site.count(days).await, 1);
    // The account works until then.
    site.log_in("mira").await.ok();

    mira.post("/accounts/cancel-deletion", Value::Null).await.result();
    assert_eq!(mira.get("/accounts/me").await.ok().get("deletion_due_at"), None);
    // The job is still scheduled, and does nothing.
    site.execute("update jobs set due_at = now() where job ->> 'name' = 'delete_account'").await;
    let jobs = "select count(*) from jobs where job ->> 'name' = 'delete_account'";
    wait_until("the job has run", async || site.count(jobs).await == 0).await;
    mira.get("/accounts/me").await.ok();
    site.finish().await;
}

/// A stranger who knows the password cannot delete the account of an owner who reads the mail.
#[tokio::test(flavor = "multi_thread")]
async fn the_link_of_the_mail_cancels_once() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    ask_for_deletion(&mira).await.result();
    let mail = mailbox.wait_for("mira@example.org", 2).await;
    let cancel = async |token: &str| {
        site.visitor().post("/accounts/cancel-deletion-by-link", json!({ "token": token })).await
    };
    cancel(&"A".repeat(43)).await.problem(404, "token_not_found");
    assert_eq!(cancel(mail.token()).await.result()["account_id"], mira.account_id);
    cancel(mail.token()).await.problem(404, "token_not_found");
    assert_eq!(mira.get("/accounts/me").await.ok().get("deletion_due_at"), None);
    site.finish().await;
}

/// Otherwise an old link would cancel a later deletion.
#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_not_valid_after_its_deletion_was_cancelled() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    for (number, way) in ["owner", "administrator", "operator"].into_iter().enumerate() {
        ask_for_deletion(&mira).await.result();
        let token = mailbox.wait_for("mira@example.org", 2 + number).await.token().to_owned();
        match way {
            "owner" => {
                mira.post("/accounts/cancel-deletion", Value::Null).await.result();
            }
            "administrator" => {
                let role = json!({ "account_id": mira.account_id, "role": "editor" });
                boss.post("/admin/accounts/grant-role", role).await.result();
            }
            _ => site.set_role("mira", StaffRole::Editor, true).await,
        }
        let cancel = json!({ "token": token });
        let cancelled = site.visitor().post("/accounts/cancel-deletion-by-link", cancel).await;
        cancelled.problem(404, "token_not_found");
        site.set_role("mira", StaffRole::Editor, false).await;
    }
    site.finish().await;
}

/// Words of the site may be names of accounts.
#[tokio::test(flavor = "multi_thread")]
async fn the_deletion_of_one_name_erases_nothing_of_others() {
    let site = Site::start().await;
    let (tom, _) = site.guild("Tom Stays", "Night Watch").await;
    site.execute(
        r#"insert into dead_letters (queue, reason, message_hash, message)
           values ('q', 'r', '1', '{"kind": "conflict"}'), ('q', 'r', '2', '{"killed_by": "Conflict"}');
           insert into dead_letter_bodies (dead_letter_id, body)
           select dead_letter_id, convert_to(message, 'utf8') from dead_letters"#,
    )
    .await;
    let conflict = site.player("conflict").await;
    let create = json!({ "name": "Night Watch", "character_name": "Tom Stays" });
    let again = || tom.post_with_key("/guild/create-guild", &create, "the same");
    again().await.problem(409, "guild_name_taken");

    ask_for_deletion(&conflict).await.result();
    delete_now(&site, conflict.account_id).await;
    wait_until("all outcomes were read", async || site.count("select count(*) from erasures").await == 0)
        .await;
    again().await.problem(409, "guild_name_taken");
    // The second dead letter names the player.
    let named = "select count(*) from dead_letters left join dead_letter_bodies using (dead_letter_id)
                 where (message is null) = (body is null) and (message is null) = (dead_letter_id = 2)";
    assert_eq!(site.count(named).await, 2);
    site.stop().await;
}

/// The deletion removes each session from the cache.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_with_many_sessions_is_deleted() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let sessions = format!(
        "insert into sessions (session_id, account_id, device, network, last_used_at)
         select gen_random_uuid(), {}, 'a device', '203.0.113.7', now() from generate_series(1, 200)",
        mira.account_id,
    );
    site.execute(&sessions).await;
    ask_for_deletion(&mira).await.result();
    delete_now(&site, mira.account_id).await;
    wait_until("the session has ended", async || mira.get("/accounts/me").await.status == 401).await;
    let note = json!({ "account_id": mira.account_id, "text": "This was Mira." });
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    boss.post("/admin/accounts/add-note", note).await.problem(404, "account_not_found");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_with_a_role_stays() {
    let site = Site::start().await;
    let nora = site.player_with_role("nora", StaffRole::Editor).await;
    ask_for_deletion(&nora).await.problem(403, "staff_stays");
    site.set_role("nora", StaffRole::Editor, false).await;
    ask_for_deletion(&nora).await.result();
    // A role cancels the deletion: an operator grants it, or an administrator.
    let due_at = async || nora.get("/accounts/me").await.ok().get("deletion_due_at").cloned();
    site.set_role("nora", StaffRole::Editor, true).await;
    assert_eq!(due_at().await, None);
    site.set_role("nora", StaffRole::Editor, false).await;
    ask_for_deletion(&nora).await.result();
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let role = json!({ "account_id": nora.account_id, "role": "editor" });
    boss.post("/admin/accounts/grant-role", role).await.result();
    assert_eq!(due_at().await, None);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guilds_of_a_deleted_account_get_another_leader_or_end() {
    let site = Site::start().await;
    let (mira, watch) = site.guild("Mira Leads", "Night Watch").await;
    site.character(&mira, "Mira Alone").await;
    let alone = json!({ "name": "Lone Watch", "character_name": "Mira Alone" });
    mira.post("/guild/create-guild", alone).await.result();
    site.member(&mira, watch, "Tom First").await;
    site.member(&mira, watch, "Eve Vice").await;
    let rank = json!({ "guild_id": watch, "character_name": "Eve Vice", "rank": "vice_leader" });
    mira.post("/guild/change-rank", rank).await.result();
    assert_eq!(site.guild_members("Night Watch").await.len(), 3);

    ask_for_deletion(&mira).await.result();
    delete_now(&site, mira.account_id).await;
    wait_until("the guild has no deleted member", async || {
        site.guild_members("Night Watch").await == ["Eve Vice leader", "Tom First member"]
    })
    .await;
    site.visitor().get("/guild/view/Lone Watch").await.problem(404, "guild_not_found");
    // The names are free, also for the game.
    let again = site.player("Mira_Leads").await;
    site.character(&again, "Mira Leads").await;
    site.finish().await;
}

/// The game still has the characters of the account.
#[tokio::test(flavor = "multi_thread")]
async fn the_game_cannot_bring_a_deleted_account_back() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    site.character(&mira, "Mira Stormborn").await;
    ask_for_deletion(&mira).await.result();
    delete_now(&site, mira.account_id).await;
    // The job ends the session in the cache after its commit.
    wait_until("the session has ended", async || mira.get("/accounts/me").await.status == 401).await;
    mira.get("/accounts/me").await.problem(401, "unauthorized");
    site.log_in("mira").await.problem(401, "wrong_credentials");
    site.log_in(&format!("deleted account {}", mira.account_id)).await.problem(401, "wrong_credentials");
    let character = json!({
        "name": "Mira Stormborn", "level": 20, "vocation": "Knight", "online": true, "account_id": mira.account_id
    });
    let reported = json!({ "characters": [character] });
    let reported = site.game_server().put("/game/characters", reported).await.result();
    assert_eq!(reported["skipped"][0]["reason"], "account_not_found");
    assert_eq!(site.count("select count(*) from characters where name = 'Mira Stormborn'").await, 0);
    site.finish().await;
}
