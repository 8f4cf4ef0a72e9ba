//! The list of the refusals that the tests provoke. `./dev test` compares it with the declared ones.

use std::{env, fs::OpenOptions, io::Write};

use sqlx::PgPool;

/// Appends the refusals of a site to the file that the environment names, if it names one. All sites share the file.
pub(super) async fn append(database: &PgPool) {
    let Some(path) = env::var_os("GUILDHALL_TEST_REFUSALS") else { return };
    let lines: Vec<String> = sqlx::query_scalar(
        "select distinct command || ' ' || (outcome #>> '{refused,code}') || e'\\n'
         from operations where outcome ? 'refused'",
    )
    .fetch_all(database)
    .await
    .unwrap();
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(lines.concat().as_bytes()).unwrap();
}
