-- Told by whoever wrote the row, once it is committed: a commit that takes long is not seen meanwhile.
alter table pending_invalidations alter column since drop default, alter column since drop not null;
