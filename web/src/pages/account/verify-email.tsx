// Proves that an address belongs to the reader, by the code of a mail. The link of the mail does the same.

import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { queries } from '../../api/queries';
import { useRequest } from '../../api/request';
import { useTexts } from '../../language/language';
import { CommandNotice } from '../../look/command';
import { Button, Field, Notice } from '../../look/controls';
import { RequestForm } from '../../look/request';
import { accountResendVerification, accountVerifyEmailCode } from '../../sdk';
import type { EmailVerified } from '../../sdk';
import { accountMeOptions } from '../../sdk/@tanstack/preact-query.gen';
import './account.css';
import { emailTexts } from './email-texts';

/** The reader may open the link on a phone while this page waits. */
const LOOK_AGAIN_MS = 5_000;

/** Also for the first page of a new account. It disappears when the address is verified. */
export function VerifyEmail({ email }: { email: string }) {
  const t = useTexts(emailTexts);
  useQuery({ ...accountMeOptions(), refetchInterval: LOOK_AGAIN_MS });
  const again = useCommand({
    name: 'account.resend-verification',
    send: (_: Record<string, never>, headers) => accountResendVerification({ headers }),
  });
  return (
    <div class="stack">
      <p>{t.sentTo(email)}</p>
      <MailCode />
      <CommandNotice command={again} done={t.sentAgain} />
      <p class="row">
        <span class="faint">{t.noMail}</span>
        <Button look="quiet" small isBusy={again.isBusy} onClick={() => again.send({})}>
          {t.sendAgain}
        </Button>
      </p>
    </div>
  );
}

/** The eight digits of a mail. */
export function MailCode() {
  const t = useTexts(emailTexts);
  const [code, setCode] = useState('');
  const digits = code.replace(/\D/g, '');
  const request = useRequest<string, EmailVerified>(
    (entered) => accountVerifyEmailCode({ body: { code: entered } }),
    (outcome) => {
      if (outcome.step === 'done') void queries.invalidateQueries();
    },
  );
  if (request.state.step === 'done') return <Notice look="good">{t.verified(request.state.data.email)}</Notice>;
  return (
    <RequestForm request={request} body={() => (digits.length === 8 ? digits : undefined)} button={t.confirm}>
      <Field label={t.code} hint={t.codeHint}>
        {(input) => (
          <input
            {...input}
            class="input mail-code"
            name="code"
            autocomplete="one-time-code"
            inputMode="numeric"
            pattern="\s*(\d\s*){8}"
            title={t.codeHint}
            required
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        )}
      </Field>
    </RequestForm>
  );
}
