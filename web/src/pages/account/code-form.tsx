// A form that needs the password and a code of the second factor.

import { useState } from 'preact/hooks';
import { queries } from '../../api/queries';
import type { Answer } from '../../api/answer';
import { useRequest } from '../../api/request';
import { useTexts } from '../../language/language';
import { useFieldError } from '../../language/problems';
import { Button } from '../../look/controls';
import { RequestForm } from '../../look/request';
import type { Account, PasswordAndCode } from '../../sdk';
import { CodeField } from '../log-in/code-field';
import { PasswordField } from '../log-in/password-field';
import { OwnName } from './own-name';
import { securityTexts } from './security-texts';

interface CodeFormProps<Data> {
  account: Account;
  text: string;
  button: string;
  look?: 'danger';
  send: (body: PasswordAndCode) => Promise<Answer<Data>>;
  onDone: (data: Data) => void;
  onCancel: () => void;
}

export function CodeForm<Data>({ account, text, button, look, send, onDone, onCancel }: CodeFormProps<Data>) {
  const t = useTexts(securityTexts);
  const fieldError = useFieldError();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const request = useRequest(send, (outcome) => {
    if (outcome.step === 'done') onDone(outcome.data);
    // Without a response, it may have taken effect: the account says so.
    else if (outcome.step === 'failed' && !outcome.problem) void queries.invalidateQueries();
  });
  const problem = request.state.step === 'failed' ? request.state.problem : undefined;
  return (
    <RequestForm
      request={request}
      body={() => ({ password, code: code.trim() })}
      button={button}
      fieldsShown
      {...(look && { look })}
      after={
        <Button look="quiet" onClick={onCancel}>
          {t.cancel}
        </Button>
      }
    >
      <p>{text}</p>
      <OwnName account={account} />
      <PasswordField
        label={t.password}
        kind="current-password"
        value={password}
        onValue={setPassword}
        error={fieldError(problem, '/password')}
      />
      <CodeField value={code} onValue={setCode} error={fieldError(problem, '/code')} />
    </RequestForm>
  );
}
