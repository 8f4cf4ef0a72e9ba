// Another e-mail address. The account keeps the old one until the new one is verified.

import { useState } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { useFieldError } from '../../language/problems';
import { CommandForm } from '../../look/command';
import { Button, Notice, TextField } from '../../look/controls';
import { accountChangeEmail } from '../../sdk';
import type { Account, EmailChangeRequested, NewEmail } from '../../sdk';
import { PasswordField } from '../log-in/password-field';
import { emailTexts } from './email-texts';
import { OwnName } from './own-name';
import { MailCode } from './verify-email';

export function ChangeEmail({ account }: { account: Account }) {
  const t = useTexts(emailTexts);
  const fieldError = useFieldError();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const command = useCommand<NewEmail, EmailChangeRequested>({
    name: 'account.change-email',
    isSecret: true,
    send: (body, headers) => accountChangeEmail({ body, headers }),
    onDone: () => setPassword(''),
  });
  const { state } = command;
  if (state.step === 'done') {
    return (
      <div class="stack">
        {account.email === state.result?.new_email ? (
          <Notice look="good">{t.verified(account.email)}</Notice>
        ) : (
          <>
            <Notice>{t.changeSent(state.result?.new_email ?? email)}</Notice>
            <MailCode />
          </>
        )}
        <p>
          <Button look="quiet" small onClick={command.reset}>
            {t.otherAddress}
          </Button>
        </p>
      </div>
    );
  }
  const { problem } = command;
  return (
    <CommandForm
      fieldsShown
      command={command}
      body={() => ({ email: email.trim(), password })}
      button={t.change}
      look="quiet"
    >
      <p class="faint">{t.changeText}</p>
      <OwnName account={account} />
      <TextField
        label={t.newEmail}
        type="email"
        name="email"
        autocomplete="email"
        required
        value={email}
        onValue={setEmail}
        error={fieldError(problem, '/email')}
      />
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
