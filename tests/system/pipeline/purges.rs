//! The jobs that delete old rows.

use crate::support::{site::Site, wait::wait_until};

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_deleted_with_its_last_refresh_token() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    site.execute(&format!(
        "update refresh_tokens set expires_at = now() - interval '1 second'
             where session_id in (select session_id from sessions where account_id = {});
         insert into refresh_tokens (token_hash, session_id, expires_at)
             select '\\x01', session_id, now() - interval '1 second' from sessions where account_id = {};
         update jobs set due_at = now() where job->>'name' = 'purge_sessions'",
        mira.account_id, tom.account_id,
    ))
    .await;
    let expired = "select count(*) from refresh_tokens where expires_at < now()";
    wait_until("the expired tokens are deleted", async || site.count(expired).await == 0).await;
    let sessions = async |account_id: i64| {
        site.count(&format!("select count(*) from sessions where account_id = {account_id}")).await
    };
    assert_eq!((sessions(mira.account_id).await, sessions(tom.account_id).await), (0, 1));
    tom.get("/accounts/me").await.ok();
    site.finish().await;
}

/// Postgres cancels a statement after seconds. So a purge that has fallen behind must not delete all rows in one statement.
#[tokio::test(flavor = "multi_thread")]
async fn a_purge_that_has_fallen_behind_deletes_the_rows_in_parts() {
    let site = Site::start().await;
    site.player("mira").await;
    site.execute(
        r"insert into characters (account_id, name, level, vocation)
              select 1, 'M ' || translate(lpad(i::text, 5, '0'), '0123456789', 'abcdefghij'), 20, 'Knight'
              from generate_series(1, 5002) as i;
          with created as (insert into guilds (name, leader_id) select 'Night Watch', min(character_id) from characters
                           returning guild_id, leader_id)
          insert into guild_members (character_id, guild_id, rank) select leader_id, guild_id, 2 from created;
          insert into guild_invites (guild_id, character_id, invited_by, invited_at, expires_at)
              select guild_id, character_id, leader_id, now() - interval '2 days', now() - interval '1 day'
              from guilds, characters where character_id <> leader_id;
          insert into dead_letters (queue, message, message_hash, reason, died_at)
              select 'guildhall.guild', '{}', decode(lpad(i::text, 64, '0'), 'hex'), 'For the test.', now() - interval '31 days'
              from generate_series(1, 5001) as i;
          insert into dead_letter_bodies (dead_letter_id, body) select dead_letter_id, '' from dead_letters;
          insert into mails (mail_id, account_id, kind, recipient, language, details, state, created_at, ended_at, expires_at)
              select gen_random_uuid(), 1, kind, 'a@example.org', 'en', '{}', state, now() - interval '31 days',
                     now() - interval '31 days', now() - interval '31 days'
              from (values ('verify_email', 'sent'), ('deletion_done', 'parked')) as mail (kind, state),
                   generate_series(1, 5001);
          insert into mail_tokens (token_hash, mail_id, account_id, purpose, email, expires_at)
              select decode(md5(mail_id::text), 'hex'), mail_id, 1, 'verify_email', 'a@example.org', now() - interval '1 day'
              from mails where kind = 'verify_email';
          create function refuse_large_purge() returns trigger language plpgsql as $$
          begin
              if (select count(*) from purged) > 5000 then raise exception 'too many rows'; end if;
              return null;
          end $$;",
    )
    .await;
    let tables = ["guild_invites", "dead_letter_bodies", "mails", "mail_tokens"];
    for table in tables {
        site.execute(&format!(
            "create trigger small after delete on {table} referencing old table as purged
             for each statement execute function refuse_large_purge()"
        ))
        .await;
    }
    site.execute(
        "update jobs set due_at = now() where job->>'name' in ('purge_invites', 'purge_dead_letter_bodies', 'purge_mails')",
    )
    .await;
    for table in tables {
        let rows = format!("select count(*) from {table}");
        wait_until(&format!("{table} is empty"), async || site.count(&rows).await == 0).await;
    }
    site.execute("delete from dead_letters").await;
    site.finish().await;
}
