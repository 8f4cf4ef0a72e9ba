// Adds a second factor: the password, the secret for the app, then the first code.

import { useState } from 'preact/hooks';
import { queries } from '../../api/queries';
import { useRequest } from '../../api/request';
import { useTexts } from '../../language/language';
import { Button } from '../../look/controls';
import { useFile } from '../../look/file';
import { Icon } from '../../look/icon';
import { RequestForm } from '../../look/request';
import { accountEnableSecondFactor, accountStartSecondFactor } from '../../sdk';
import type { Account, FirstCode, NewSecondFactor, RecoveryCodeList } from '../../sdk';
import { CodeField } from '../log-in/code-field';
import { PasswordField } from '../log-in/password-field';
import { CopyButton } from './copy-button';
import { OwnName } from './own-name';
import { securityTexts } from './security-texts';

interface EnrolmentProps {
  account: Account;
  onEnabled: (codes: RecoveryCodeList) => void;
}

export function Enrolment({ account, onEnabled }: EnrolmentProps) {
  const t = useTexts(securityTexts);
  const [password, setPassword] = useState('');
  const request = useRequest<string, NewSecondFactor>(
    (entered) => accountStartSecondFactor({ body: { password: entered } }),
    () => setPassword(''),
  );
  if (request.state.step === 'done') {
    return <FirstCodeForm factor={request.state.data} onEnabled={onEnabled} onCancel={request.reset} />;
  }
  return (
    <RequestForm request={request} body={() => password} button={t.start}>
      <p>{t.why}</p>
      <OwnName account={account} />
      <PasswordField label={t.password} kind="current-password" value={password} onValue={setPassword} />
    </RequestForm>
  );
}

interface FirstCodeFormProps {
  factor: NewSecondFactor;
  onEnabled: (codes: RecoveryCodeList) => void;
  onCancel: () => void;
}

function FirstCodeForm({ factor, onEnabled, onCancel }: FirstCodeFormProps) {
  const t = useTexts(securityTexts);
  const [code, setCode] = useState('');
  // As an image, the SVG of the server cannot run scripts.
  const picture = useFile(factor.qrcode_svg, 'image/svg+xml');
  const request = useRequest<FirstCode, RecoveryCodeList>(
    (body) => accountEnableSecondFactor({ body }),
    (outcome) => {
      if (outcome.step === 'done') onEnabled(outcome.data);
      // Without a response, the second factor may be enabled: the account says so, and new codes replace the lost ones.
      else if (outcome.step === 'failed' && !outcome.problem) void queries.invalidateQueries();
    },
  );
  return (
    <RequestForm
      request={request}
      body={() => ({ enrolment: factor.enrolment, code: code.trim() })}
      button={t.enable}
      after={
        <Button look="quiet" onClick={onCancel}>
          {t.cancel}
        </Button>
      }
    >
      <ol class="steps">
        <li>
          <p>{t.scan}</p>
          {picture !== undefined && <img class="qr-code" src={picture} width={224} height={224} alt={t.qrCode} />}
          <p>
            <a class="button quiet small" href={factor.uri}>
              <Icon name="external" size={16} /> {t.openApp}
            </a>
          </p>
          <p class="faint">{t.orType}</p>
          <p class="row">
            <code class="secret">{inGroups(factor.secret)}</code>
            <CopyButton text={factor.secret} />
          </p>
        </li>
        <li>
          <CodeField value={code} onValue={setCode} appOnly />
        </li>
      </ol>
    </RequestForm>
  );
}

/** Groups of four letters are easier to type. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}
