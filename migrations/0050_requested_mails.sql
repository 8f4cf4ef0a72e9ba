-- The account that requested the mail, which is not always the account of its recipient. Limits the mails that one account requests.
-- Null for mails that inform about a change, for links that set a forgotten password, and for older mails.
alter table mails add column requested_by bigint constraint mails_requester references accounts;
create index mails_by_requester on mails (requested_by, created_at);
