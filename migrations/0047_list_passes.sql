-- The jobs that compare the records with a provider's lists of transfers read a part of a list per attempt.

-- The length of the next window of new receipts. It is halved when a window could not be read, and doubled after each one that was.
alter table payment_progress add column window_seconds bigint not null default 21600
    constraint payment_progress_window_positive check (window_seconds > 0);

-- The passes over the last days of a list: late receipts, and receipts with a refund.
create table payment_list_passes (
    provider      text not null,
    list          text not null constraint payment_list_passes_list_known check (list in ('receipts', 'refunds')),
    -- The end of the last slice of the current pass. Null between two passes.
    read_to       timestamptz,
    -- The length of the next slice. It changes as window_seconds does.
    slice_seconds bigint not null constraint payment_list_passes_slice_positive check (slice_seconds > 0),
    constraint payment_list_passes_pkey primary key (provider, list)
);
