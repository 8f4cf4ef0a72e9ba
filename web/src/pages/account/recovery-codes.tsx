// New recovery codes, above the tabs of the account until the reader has stored them.

import { useEffect, useRef, useState } from 'preact/hooks';
import { useLanguage, useTexts } from '../../language/language';
import { Button, Checkbox, Notice } from '../../look/controls';
import { useFile } from '../../look/file';
import type { Account } from '../../sdk';
import { SITE_NAME } from '../../site-name';
import { CopyButton } from './copy-button';
import { forgetCodes, useNewCodes } from './new-codes';
import { securityTexts } from './security-texts';

export function NewRecoveryCodes({ account }: { account: Account }) {
  const t = useTexts(securityTexts);
  const codes = useNewCodes(account.account_id);
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), [codes]);
  if (!codes) return null;
  return (
    <section class="sheet" ref={section} tabIndex={-1} aria-labelledby="new-codes-title">
      <h2 id="new-codes-title">{t.codesTitle}</h2>
      <RecoveryCodes account={account} codes={codes} />
    </section>
  );
}

function RecoveryCodes({ account, codes }: { account: Account; codes: string[] }) {
  const t = useTexts(securityTexts);
  const { language } = useLanguage();
  const [isStored, setStored] = useState(false);
  const list = codes.join('\n');
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date());
  const address = useFile(`${SITE_NAME}\n${t.codesOf(account.name)}\n${date}\n\n${list}\n`, 'text/plain');
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
        <Button disabled={!isStored} onClick={forgetCodes}>
          {t.done}
        </Button>
      </p>
    </>
  );
}
