// The second factor: a code of an authenticator app besides the password.

import { useState } from 'preact/hooks';
import { queries } from '../../api/queries';
import { useTexts } from '../../language/language';
import { Button, Notice } from '../../look/controls';
import { Icon } from '../../look/icon';
import { accountDisableSecondFactor, accountReplaceRecoveryCodes } from '../../sdk';
import type { Account, RecoveryCodeList } from '../../sdk';
import { CodeForm } from './code-form';
import { Enrolment } from './enrolment';
import { keepCodes } from './new-codes';
import { securityTexts } from './security-texts';

/** What the reader does with the second factor at the moment. */
type Step = 'none' | 'disable' | 'replace' | 'disabled';

export function SecondFactor({ account }: { account: Account }) {
  const t = useTexts(securityTexts);
  const [step, setStep] = useState<Step>('none');
  const showCodes = (list: RecoveryCodeList): void => {
    keepCodes(account.account_id, list.recovery_codes);
    setStep('none');
    void queries.invalidateQueries();
  };
  const back = (): void => setStep('none');
  if (!account.second_factor) {
    return (
      <>
        {step === 'disabled' && <Notice look="warning">{t.disabled}</Notice>}
        <Enrolment account={account} onEnabled={showCodes} />
      </>
    );
  }
  if (step === 'disable') {
    return (
      <CodeForm
        account={account}
        text={t.disableText}
        button={t.disable}
        look="danger"
        onCancel={back}
        send={(body) => accountDisableSecondFactor({ body })}
        onDone={() => {
          setStep('disabled');
          void queries.invalidateQueries();
        }}
      />
    );
  }
  if (step === 'replace') {
    return (
      <CodeForm
        account={account}
        text={t.replaceText}
        button={t.replace}
        onCancel={back}
        send={(body) => accountReplaceRecoveryCodes({ body })}
        onDone={showCodes}
      />
    );
  }
  return (
    <>
      <p class="row">
        <Icon name="check" /> {t.enabled}
      </p>
      <p class="faint">{t.lostCodes}</p>
      <div class="row">
        <Button look="quiet" onClick={() => setStep('replace')}>
          {t.replace}
        </Button>
        <Button look="danger" onClick={() => setStep('disable')}>
          {t.disable}
        </Button>
      </div>
    </>
  );
}
