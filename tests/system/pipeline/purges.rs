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
