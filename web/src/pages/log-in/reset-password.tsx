// A new password by the link of a mail.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { useFieldError } from '../../language/problems';
import { CommandForm, CommandNotice } from '../../look/command';
import { Notice } from '../../look/controls';
import { Page } from '../../look/page';
import { href } from '../../routes';
import { accountResetPassword } from '../../sdk';
import { MissingToken } from '../mail-links/missing-token';
import { useMailToken } from '../mail-links/token';
import { PasswordField } from './password-field';
import { recoveryTexts } from './recovery-texts';

export function ResetPasswordPage() {
  const t = useTexts(recoveryTexts);
  const token = useMailToken();
  const fieldError = useFieldError();
  const [password, setPassword] = useState('');
  const command = useCommand({
    name: `account.reset-password/${token ?? ''}`,
    isSecret: true,
    send: (body: { token: string; password: string }, headers) => accountResetPassword({ body, headers }),
  });
  const { problem } = command;
  const isLinkOver = problem?.status === 404;
  const newLink = (
    <Link class="button" href={href('forgotPassword')}>
      {t.newLink}
    </Link>
  );
  if (token === undefined) {
    return (
      <Page title={t.resetTitle}>
        <MissingToken>{newLink}</MissingToken>
      </Page>
    );
  }
  return (
    <Page title={t.resetTitle}>
      <div class="columns">
        <section class="sheet">
          {command.state.step === 'done' && (
            <>
              <Notice look="good">{t.resetDone}</Notice>
              <p>
                <Link class="button" href={href('logIn')}>
                  {t.logIn}
                </Link>
              </p>
            </>
          )}
          {isLinkOver && (
            <>
              <CommandNotice command={command} />
              <p>{newLink}</p>
            </>
          )}
          {command.state.step !== 'done' && !isLinkOver && (
            <CommandForm command={command} body={() => ({ token, password })} button={t.setPassword} fieldsShown>
              <p>{t.resetText}</p>
              <PasswordField
                label={t.newPassword}
                kind="new-password"
                value={password}
                onValue={setPassword}
                error={fieldError(problem, '/password')}
              />
            </CommandForm>
          )}
        </section>
        <aside class="sheet">
          <h2>{t.forgotten}</h2>
          <p>{t.forgottenText}</p>
        </aside>
      </div>
    </Page>
  );
}
