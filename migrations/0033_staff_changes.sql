-- Changes that administrators make over HTTP: discarded notifications, rates and packages of coins.

-- ---- Notifications -----------------------------------------------------------------------------

alter table payment_notifications
    -- When an administrator gave up the parked notification.
    add column discarded_at timestamptz,
    -- Its expression cannot be changed. The index of the column is dropped with it.
    drop column state;
alter table payment_notifications
    add column state text not null generated always as (
        case when settled_at is not null then 'settled' when discarded_at is not null then 'discarded'
             when parked_at is not null then 'parked' else 'open' end
    ) stored;
create index payment_notifications_by_state on payment_notifications (state, notification_id);

-- ---- Coins -------------------------------------------------------------------------------------

-- An edit names the version that its administrator has read, and raises it.
alter table coin_rates add column version integer not null default 1;
alter table coin_packages add column version integer not null default 1;
