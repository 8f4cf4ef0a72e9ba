-- Pictures of logos can be in an object store instead.

-- Missing: the object store has the picture.
alter table logo_pictures alter column bytes drop not null;
-- A job moves these pictures if the site has an object store.
create index logo_pictures_to_move on logo_pictures (logo_id, size) where bytes is not null;
