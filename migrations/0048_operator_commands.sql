-- The command that caused the event. An operator erases the reason of a resend of many deliveries in all their timelines. Null for
-- older events and for new orders.
alter table delivery_events add column operation_id uuid;
create index delivery_events_by_resend on delivery_events (operation_id) where what = 'resent' and detail is not null;

-- The purge finds last mails to deleted accounts that could not be sent.
create index mails_by_kind on mails (kind, expires_at);
