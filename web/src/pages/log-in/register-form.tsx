// The form of a new account.

import { useState } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { useLanguage, useTexts } from '../../language/language';
import { useFieldError, useProblemText } from '../../language/problems';
import { CommandNotice } from '../../look/command';
import { Button, TextField } from '../../look/controls';
import { accountRegister } from '../../sdk';
import type { NewAccount } from '../../sdk';
import { useCaptcha } from './captcha/captcha';
import { CaptchaNotice } from './captcha/notice';
import { PasswordField } from './password-field';
import { registerTexts } from './register-texts';

interface Registration {
  account: NewAccount;
  /** The solution of the captcha. */
  solution: string | undefined;
}

export function RegisterForm({ onRegistered }: { onRegistered: (account: NewAccount) => void }) {
  const t = useTexts(registerTexts);
  const { language } = useLanguage();
  const fieldError = useFieldError();
  const textOf = useProblemText();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isSolving, setSolving] = useState(false);
  const captcha = useCaptcha('registration');
  const command = useCommand<Registration>({
    name: 'account.register',
    isSecret: true,
    identity: ({ account }) => account, // the reader may have solved another captcha meanwhile
    send: ({ account, solution }, headers) =>
      accountRegister({
        body: account,
        headers: solution === undefined ? headers : { ...headers, Captcha: solution },
      }),
    onDone: (_, { account }) => onRegistered(account),
  });
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isSolving) return;
    setSolving(true);
    const solution = await captcha.take();
    setSolving(false);
    command.send({ account: { name: name.trim(), email: email.trim(), password, language }, solution });
  };
  const { problem } = command;
  const nameTaken = problem?.code === 'account_name_taken' ? textOf(problem) : undefined;
  return (
    <form class="form" onSubmit={submit} onFocusIn={captcha.begin}>
      <TextField
        label={t.name}
        hint={t.nameHint}
        name="username"
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        required
        minLength={3}
        maxLength={32}
        value={name}
        onValue={setName}
        error={fieldError(problem, '/name') ?? nameTaken}
      />
      <TextField
        label={t.email}
        hint={t.emailHint}
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
        kind="new-password"
        value={password}
        onValue={setPassword}
        error={fieldError(problem, '/password')}
      />
      <CaptchaNotice captcha={captcha} />
      <CommandNotice command={command} fieldsShown />
      <div class="row">
        <Button type="submit" isBusy={isSolving || command.isBusy}>
          {t.register}
        </Button>
      </div>
    </form>
  );
}
