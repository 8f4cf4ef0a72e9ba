// Asks for a mail with a link that sets a new password. The answer never says whether there is an account.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { useFieldError } from '../../language/problems';
import { CommandNotice } from '../../look/command';
import { Button, TextField } from '../../look/controls';
import { Icon } from '../../look/icon';
import { Page } from '../../look/page';
import { href } from '../../routes';
import { accountForgotPassword } from '../../sdk';
import { useCaptcha } from './captcha/captcha';
import { CaptchaNotice } from './captcha/notice';
import { recoveryTexts } from './recovery-texts';

interface PasswordReset {
  email: string;
  /** The solution of the captcha. */
  solution: string | undefined;
}

export function ForgotPasswordPage() {
  const t = useTexts(recoveryTexts);
  const fieldError = useFieldError();
  const [email, setEmail] = useState('');
  const [isSolving, setSolving] = useState(false);
  const captcha = useCaptcha('recovery');
  const command = useCommand<PasswordReset>({
    name: 'account.forgot-password',
    isSecret: true, // a shared computer must not keep the address
    identity: ({ email }) => email, // the reader may have solved another captcha meanwhile
    send: ({ email, solution }, headers) =>
      accountForgotPassword({
        body: { email },
        headers: solution === undefined ? headers : { ...headers, Captcha: solution },
      }),
  });
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setSolving(true);
    const solution = await captcha.take();
    setSolving(false);
    command.send({ email: email.trim(), solution });
  };
  const { problem } = command;
  return (
    <Page title={t.forgotTitle}>
      <div class="columns">
        <section class="sheet">
          {command.state.step === 'done' ? (
            <>
              <h2 class="row">
                <Icon name="check" /> {t.sentTitle}
              </h2>
              <p role="status">{t.sent(email.trim())}</p>
              <p class="faint">{t.noMail}</p>
              <div class="row">
                <Link class="button" href={href('logIn')}>
                  {t.toLogIn}
                </Link>
                <Button look="quiet" onClick={command.reset}>
                  {t.otherAddress}
                </Button>
              </div>
            </>
          ) : (
            <form class="form" onSubmit={submit} onFocusIn={captcha.begin}>
              <p>{t.forgotText}</p>
              <TextField
                label={t.email}
                type="email"
                name="email"
                autocomplete="email"
                required
                value={email}
                onValue={setEmail}
                error={fieldError(problem, '/email')}
              />
              <CaptchaNotice captcha={captcha} />
              <CommandNotice command={command} fieldsShown />
              <div class="row">
                <Button type="submit" isBusy={isSolving || command.isBusy}>
                  {t.sendLink}
                </Button>
                <Link href={href('logIn')}>{t.toLogIn}</Link>
              </div>
            </form>
          )}
        </section>
        <aside class="sheet">
          <h2>{t.noAddressTitle}</h2>
          <p>{t.noAddress}</p>
        </aside>
      </div>
    </Page>
  );
}
