//! Idempotency keys. The first request with a key claims it, in the transaction of its command.

use std::collections::{BTreeMap, HashMap};

use guildhall_common::contract::{
    command::{Envelope, OperationId},
    idempotency_key::{Fingerprint, KeyClaim, KeyUse},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// What a request is to the idempotency key that it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestKind {
    /// The first request with its key, or a request without a key.
    First,
    /// It repeats the request of this operation.
    Repeated(OperationId),
    /// It differs from the first request with its key.
    Reused,
}

struct Claim {
    operation_id: OperationId,
    fingerprint: Fingerprint,
}

/// The claims of the keys that a batch uses.
#[derive(Default)]
pub(crate) struct Claims(HashMap<Uuid, Claim>);

impl Claims {
    /// Claims the keys that are free, and finds the claims of the others. Another transaction that claims one of these
    /// keys waits until this one ends.
    pub(crate) async fn claim<'a, D: 'a>(
        database: &mut PgConnection,
        envelopes: impl Iterator<Item = &'a Envelope<D>>,
    ) -> sqlx::Result<Self> {
        let (mut keys, mut operations, mut fingerprints) = (vec![], vec![], vec![]);
        for (key, (operation_id, fingerprint)) in first_uses(envelopes) {
            keys.push(key);
            operations.push(operation_id.get());
            fingerprints.push(fingerprint);
        }
        if keys.is_empty() {
            return Ok(Self::default());
        }
        // The order of the keys is the same in all transactions. Otherwise two of them could wait for each other.
        // An operation of version 0.2.0 that was stored after the migration has its key as its id.
        sqlx::query!(
            "insert into idempotency_keys (key, operation_id, fingerprint)
             select key, coalesce(older.operation_id, new.operation_id),
                    coalesce(older.fingerprint, decode(new.fingerprint, 'hex'))
             from unnest($1::uuid[], $2::uuid[], $3::text[]) as new (key, operation_id, fingerprint)
             left join lateral (
                 select operation_id, fingerprint from operations where operation_id = key
                 union all
                 select operation_id, fingerprint from begun_operations where operation_id = key
             ) as older on true
             order by key
             on conflict (key) do nothing",
            &keys,
            &operations,
            &fingerprints as _,
        )
        .execute(&mut *database)
        .await?;
        let claims = sqlx::query!(
            r#"select key, operation_id as "operation_id: OperationId", encode(fingerprint, 'hex') as "fingerprint!"
               from idempotency_keys where key = any($1)"#,
            &keys,
        );
        let claims = claims.fetch_all(database).await?.into_iter();
        Ok(Self(
            claims
                .map(|row| (row.key, Claim { operation_id: row.operation_id, fingerprint: row.fingerprint }))
                .collect(),
        ))
    }

    /// What the request of this envelope is to its key.
    pub(crate) fn kind<D>(&self, envelope: &Envelope<D>) -> RequestKind {
        let of_another = envelope.key_uses.iter().find_map(|key_use| {
            let claim =
                self.0.get(&key_use.key).filter(|claim| claim.operation_id != envelope.operation_id)?;
            Some(match key_use.compare(&claim.fingerprint)? {
                KeyClaim::Repeated => RequestKind::Repeated(claim.operation_id),
                KeyClaim::Reused => RequestKind::Reused,
            })
        });
        of_another.unwrap_or(RequestKind::First)
    }
}

/// The first use of each key in a batch, in the order of the keys.
fn first_uses<'a, D: 'a>(
    envelopes: impl Iterator<Item = &'a Envelope<D>>,
) -> BTreeMap<Uuid, (OperationId, &'a str)> {
    let mut first = BTreeMap::new();
    for envelope in envelopes {
        for KeyUse { key, fingerprint, .. } in &envelope.key_uses {
            first.entry(*key).or_insert((envelope.operation_id, fingerprint.as_str()));
        }
    }
    first
}
