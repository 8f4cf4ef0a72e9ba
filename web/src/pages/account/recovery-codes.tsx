// New recovery codes. The server shows them only once.

import { useEffect, useState } from 'preact/hooks';
import { useLanguage, useTexts } from '../../language/language';
import { Button, Checkbox, Notice } from '../../look/controls';
import { useFile } from '../../look/file';
import type { Account } from '../../sdk';
import { SITE_NAME } from '../../site-name';
import { CopyButton } from './copy-button';
import { securityTexts } from './security-texts';

interface RecoveryCodesProps {
  account: Account;
  codes: string[];
  onStored: () => void;
}

export function RecoveryCodes({ account, codes, onStored }: RecoveryCodesProps) {
  const t = useTexts(securityTexts);
  const { language } = useLanguage();
  const [isStored, setStored] = useState(false);
  const list = codes.join('\n');
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date());
  const address = useFile(`${SITE_NAME}\n${t.codesOf(account.name)}\n${date}\n\n${list}\n`, 'text/plain');
  useEffect(() => {
    if (isStored) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isStored]);
  return (
    <>
      <Notice look="good">{t.codesReady}</Notice>
      <p>{t.codesText}</p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="row">
        <CopyButton text={list} />
        {address !== undefined && (
          <a class="button quiet small" href={address} download={`${account.name}-recovery-codes.txt`}>
            {t.download}
          </a>
        )}
      </p>
      <Checkbox label={t.stored} checked={isStored} onValue={setStored} />
      <p>
        <Button disabled={!isStored} onClick={onStored}>
          {t.done}
        </Button>
      </p>
    </>
  );
}
