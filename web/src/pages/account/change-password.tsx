import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { useFieldError } from '../../language/problems';
import { CommandForm } from '../../look/command';
import { href } from '../../routes';
import { accountChangePassword } from '../../sdk';
import type { Account, PasswordChange } from '../../sdk';
import { PasswordField } from '../log-in/password-field';
import { OwnName } from './own-name';
import { securityTexts } from './security-texts';

export function ChangePassword({ account }: { account: Account }) {
  const t = useTexts(securityTexts);
  const fieldError = useFieldError();
  const [old, setOld] = useState('');
  const [password, setPassword] = useState('');
  const command = useCommand({
    name: 'account.change-password',
    isSecret: true,
    send: (body: PasswordChange, headers) => accountChangePassword({ body, headers }),
    onDone: () => {
      setOld('');
      setPassword('');
    },
  });
  const { problem } = command;
  return (
    <CommandForm
      fieldsShown
      command={command}
      body={() => ({ old_password: old, password })}
      button={t.changePassword}
      look="quiet"
      done={t.passwordChanged}
      after={<Link href={href('forgotPassword')}>{t.forgot}</Link>}
    >
      <p class="faint">{t.passwordText}</p>
      <OwnName account={account} />
      <PasswordField
        label={t.oldPassword}
        kind="current-password"
        value={old}
        onValue={setOld}
        error={fieldError(problem, '/old_password')}
      />
      <PasswordField
        label={t.newPassword}
        kind="new-password"
        value={password}
        onValue={setPassword}
        error={fieldError(problem, '/password')}
      />
    </CommandForm>
  );
}
