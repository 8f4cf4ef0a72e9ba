-- A message that comes again while it is put aside is put aside once.
delete from dead_letters as again using dead_letters as first
    where again.queue = first.queue and again.body = first.body and again.dead_letter_id > first.dead_letter_id;

create unique index dead_letters_message on dead_letters (queue, sha256(body));
