// The second step of a log-in: a code of the second factor.

import { useState } from 'preact/hooks';
import { useRequest, type RequestFailure } from '../../api/request';
import { completeLogIn } from '../../api/session';
import { useTexts } from '../../language/language';
import { useFieldError } from '../../language/problems';
import { Button, Checkbox } from '../../look/controls';
import { RequestForm } from '../../look/request';
import type { CodeAfterPassword } from '../../sdk';
import { CodeField } from './code-field';
import { logInTexts } from './texts';

interface CodeStepProps {
  challenge: string;
  /** The password has to be entered again: the challenge is valid for five minutes. */
  onBack: (failure?: RequestFailure) => void;
}

/** Responses after which another code does not help. */
const NEEDS_PASSWORD = new Set([
  'invalid_challenge',
  'password_has_changed',
  'account_suspended',
  'password_expired',
  'account_not_found',
]);

export function CodeStep({ challenge, onBack }: CodeStepProps) {
  const t = useTexts(logInTexts);
  const fieldError = useFieldError();
  const [code, setCode] = useState('');
  const [trust, setTrust] = useState(false);
  const request = useRequest(
    (body: CodeAfterPassword) => completeLogIn(body),
    (outcome) => {
      if (outcome.step === 'failed' && NEEDS_PASSWORD.has(outcome.problem?.code ?? '')) onBack(outcome);
    },
  );
  const problem = request.state.step === 'failed' ? request.state.problem : undefined;
  return (
    <RequestForm
      request={request}
      body={() => ({ challenge, code: code.trim(), trust_device: trust })}
      button={t.logIn}
      fieldsShown
      after={
        <Button look="quiet" onClick={() => onBack()}>
          {t.back}
        </Button>
      }
    >
      <p>{t.codeText}</p>
      <CodeField value={code} onValue={setCode} error={fieldError(problem, '/code')} focused />
      <Checkbox label={t.trust} checked={trust} onValue={setTrust} />
    </RequestForm>
  );
}
