// The first step of a log-in: name and password.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useRequest, type RequestFailure } from '../../api/request';
import { logIn } from '../../api/session';
import { useTexts } from '../../language/language';
import { useFieldError } from '../../language/problems';
import { Button, TextField } from '../../look/controls';
import { FailureNotice } from '../../look/request';
import { href } from '../../routes';
import { useCaptcha } from './captcha/captcha';
import { CaptchaNotice } from './captcha/notice';
import { PasswordField } from './password-field';
import { logInTexts } from './texts';

interface PasswordStepProps {
  login: string;
  onLogin: (login: string) => void;
  /** Why the second step has led back to this one. */
  earlier: RequestFailure | undefined;
  onChallenge: (challenge: string) => void;
}

export function PasswordStep({ login, onLogin, earlier, onChallenge }: PasswordStepProps) {
  const t = useTexts(logInTexts);
  const fieldError = useFieldError();
  const [password, setPassword] = useState('');
  const captcha = useCaptcha('log_in');
  const request = useRequest(
    async (body: { login: string; password: string }) => logIn(body, await captcha.take()),
    (outcome) => {
      const challenge = outcome.step === 'failed' ? outcome.problem?.challenge : undefined;
      if (challenge !== undefined) onChallenge(challenge);
    },
  );
  const failure = request.state.step === 'failed' ? request.state : request.state.step === 'idle' ? earlier : undefined;
  const problem = failure?.problem;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    request.send({ login: login.trim(), password });
  };
  return (
    <form class="form" onSubmit={submit} onFocusIn={captcha.begin}>
      <TextField
        label={t.login}
        name="username"
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        required
        value={login}
        onValue={onLogin}
        error={fieldError(problem, '/login')}
      />
      <PasswordField
        label={t.password}
        kind="current-password"
        value={password}
        onValue={setPassword}
        error={fieldError(problem, '/password')}
      />
      <CaptchaNotice captcha={captcha} />
      {failure && <FailureNotice failure={failure} fieldsShown />}
      {problem?.code === 'password_expired' && (
        <Link class="button" href={href('forgotPassword')}>
          {t.newPassword}
        </Link>
      )}
      <div class="row">
        <Button type="submit" isBusy={request.isBusy}>
          {t.logIn}
        </Button>
        <Link href={href('forgotPassword')}>{t.forgot}</Link>
      </div>
    </form>
  );
}
