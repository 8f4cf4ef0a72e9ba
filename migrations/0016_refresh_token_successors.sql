-- The hash of the token that replaced this one. A renewal whose response was lost can be repeated with the same result.
alter table refresh_tokens add column successor_hash bytea;
