-- Logos of guilds. Two guilds with the same logo share its row, and its pictures are stored once.

create table logos (
    logo_id     bigint generated always as identity constraint logos_pkey primary key,
    -- SHA-256 of the pictures in hexadecimal digits. The address of a picture has it, so the picture of an address never changes.
    hash        text collate "C" not null
                constraint logos_hash_unique unique
                constraint logos_hash_is_sha256 check (hash ~ '^[0-9a-f]{64}$'),
    -- The last upload. A logo without a guild is deleted a day later.
    uploaded_at timestamptz not null default now(),
    -- The logo broke the rules of the site. The row stays, so that no guild can upload it again; guilds that have it show none.
    blocked_at  timestamptz
);
create index logos_by_upload on logos (uploaded_at);

create table logo_pictures (
    logo_id    bigint not null constraint logo_pictures_logo references logos on delete cascade,
    size       text not null constraint logo_pictures_size_known check (size in ('small', 'medium', 'large')),
    media_type text not null
               constraint logo_pictures_type_known check (media_type in ('image/webp', 'image/jpeg')),
    bytes      bytea not null constraint logo_pictures_bytes_bounded check (length(bytes) <= 65536),
    constraint logo_pictures_pkey primary key (logo_id, size)
);
-- The pictures are compressed already.
alter table logo_pictures alter column bytes set storage external;

alter table guilds add column logo_id bigint constraint guilds_logo references logos;
create index guilds_by_logo on guilds (logo_id) where logo_id is not null;
