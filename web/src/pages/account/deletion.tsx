// The deletion of the account. It takes effect some days later, and can be cancelled until then.

import { useState } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { useFieldError } from '../../language/problems';
import { CommandForm, CommandNotice } from '../../look/command';
import { Button, Checkbox, Notice } from '../../look/controls';
import { Time } from '../../look/values';
import { accountCancelDeletion, accountDelete } from '../../sdk';
import type { Account } from '../../sdk';
import { PasswordField } from '../log-in/password-field';
import { dataTexts } from './data-texts';
import { OwnName } from './own-name';

export function Deletion({ account }: { account: Account }) {
  const t = useTexts(dataTexts);
  const cancel = useCommand({
    name: 'account.cancel-deletion',
    send: (_: Record<string, never>, headers) => accountCancelDeletion({ headers }),
  });
  if (account.deletion_due_at !== undefined) {
    return (
      <>
        <Notice look="warning">
          <span>
            {t.scheduled}{' '}
            <strong>
              <Time at={account.deletion_due_at} />
            </strong>
          </span>
        </Notice>
        <p>{t.untilThen}</p>
        <CommandNotice command={cancel} />
        <p>
          <Button isBusy={cancel.isBusy} onClick={() => cancel.send({})}>
            {t.keep}
          </Button>
        </p>
      </>
    );
  }
  return (
    <>
      {cancel.state.step === 'done' && <Notice look="good">{t.kept}</Notice>}
      <DeletionForm account={account} />
    </>
  );
}

function DeletionForm({ account }: { account: Account }) {
  const t = useTexts(dataTexts);
  const fieldError = useFieldError();
  const [password, setPassword] = useState('');
  const [isSure, setSure] = useState(false);
  const command = useCommand({
    name: 'account.delete',
    isSecret: true,
    send: (body: { password: string }, headers) => accountDelete({ body, headers }),
    onDone: () => setPassword(''),
  });
  if (account.roles.some((role) => role !== 'player')) return <p>{t.staffStays}</p>;
  const { problem } = command;
  return (
    <CommandForm
      fieldsShown
      command={command}
      body={() => (isSure ? { password } : undefined)}
      button={t.delete}
      icon="trash"
      look="danger"
    >
      <p>{t.deleteText}</p>
      <ul class="consequences">
        {t.consequences.map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </ul>
      <OwnName account={account} />
      <PasswordField
        label={t.password}
        kind="current-password"
        value={password}
        onValue={setPassword}
        error={fieldError(problem, '/password')}
      />
      <Checkbox label={t.sure} checked={isSure} onValue={setSure} required />
    </CommandForm>
  );
}
