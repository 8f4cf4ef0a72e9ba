// Notes of the staff about an account. Its player reads them only in a copy of their data.

import { useState } from 'preact/hooks';
import { useCommand } from '../../../api/command';
import { useTexts } from '../../../language/language';
import { CommandForm } from '../../../look/command';
import { TextArea } from '../../../look/controls';
import { Time } from '../../../look/values';
import { adminAddAccountNote, type AccountDetails, type NewAccountNote } from '../../../sdk';
import { AccountLink } from '../panel/links';
import { AuditLink } from '../panel/report';
import { accounts } from './texts';

const LONGEST_NOTE = 2000;

export function Notes({ account }: { account: AccountDetails }) {
  const t = useTexts(accounts);
  const [text, setText] = useState('');
  const command = useCommand<NewAccountNote>({
    name: `account.note/${account.account_id}`,
    send: (body, headers) => adminAddAccountNote({ body, headers }),
    onDone: () => setText(''),
  });
  const body = (): NewAccountNote | undefined =>
    text.trim() === '' ? undefined : { account_id: account.account_id, text: text.trim() };
  return (
    <section class="sheet">
      <h2>{t.notes}</h2>
      {account.notes.length === 0 && <p class="faint">{t.noNotes}</p>}
      <ul class="stack plain-list">
        {account.notes.map((note) => (
          <li key={note.note_id} class="note">
            <p class="note-text">{note.text}</p>
            <p class="faint">
              <Time at={note.created_at} /> · {t.noteBy} <AccountLink id={note.author_id} />
            </p>
          </li>
        ))}
      </ul>
      <CommandForm
        command={command}
        body={body}
        button={t.addNote}
        look="quiet"
        done={
          <>
            {t.noteAdded} <AuditLink filter={{ action: 'account.add_note', about_account_id: account.account_id }} />
          </>
        }
      >
        <TextArea
          label={t.newNote}
          hint={t.noteHint}
          value={text}
          onValue={setText}
          required
          maxLength={LONGEST_NOTE}
          rows={3}
        />
      </CommandForm>
    </section>
  );
}
