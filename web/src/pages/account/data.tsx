// The data of the account: its export, and its deletion.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { useFieldError } from '../../language/problems';
import { CommandForm } from '../../look/command';
import { Notice } from '../../look/controls';
import { href } from '../../routes';
import { accountRequestExport } from '../../sdk';
import type { Account } from '../../sdk';
import { PasswordField } from '../log-in/password-field';
import { dataTexts } from './data-texts';
import { Deletion } from './deletion';
import { OwnName } from './own-name';

export function DataTab({ account }: { account: Account }) {
  const t = useTexts(dataTexts);
  return (
    <div class="halves">
      <section class="sheet">
        <h2>{t.exportTitle}</h2>
        <p>{t.exportText}</p>
        {account.email_verified ? <Export account={account} /> : <VerifyFirst />}
      </section>
      <section class="sheet">
        <h2>{t.deleteTitle}</h2>
        <Deletion account={account} />
      </section>
    </div>
  );
}

function VerifyFirst() {
  const t = useTexts(dataTexts);
  return (
    <Notice look="warning">
      <span>{t.verifyFirst}</span>
      <Link href={href('account')}>{t.toVerify}</Link>
    </Notice>
  );
}

function Export({ account }: { account: Account }) {
  const t = useTexts(dataTexts);
  const fieldError = useFieldError();
  const [password, setPassword] = useState('');
  const command = useCommand({
    name: 'account.request-export',
    isSecret: true,
    send: (body: { password: string }, headers) => accountRequestExport({ body, headers }),
    onDone: () => setPassword(''),
  });
  if (command.state.step === 'done') return <Notice look="good">{t.exportRequested(account.email)}</Notice>;
  const { problem } = command;
  return (
    <CommandForm fieldsShown command={command} body={() => ({ password })} button={t.request} look="quiet">
      <OwnName account={account} />
      <PasswordField
        label={t.password}
        kind="current-password"
        value={password}
        onValue={setPassword}
        error={fieldError(problem, '/password')}
      />
    </CommandForm>
  );
}
