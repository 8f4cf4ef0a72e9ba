-- Corrections of columns: one that nothing needs, one that is always set, and one that only people read.

-- Version 0.3.0 does not name this column. accepted_at has nearly the same time.
alter table begun_operations drop column begun_at;

-- Workers of 0.2.0 stored no version. They do not run on this schema, and those of 0.3.0 store it.
delete from workers where version is null;
alter table workers alter column version set not null;

comment on column deliveries.leased_by is
    'The game server of the last lease, for an operator who searches for it. Nothing else records it, and no program reads it.';
