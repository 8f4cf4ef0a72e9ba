// Suspends an account until a time, or for ever.

import { useState } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { Checkbox } from '../../../look/controls';
import { adminSuspendAccount, type AccountDetails, type AccountSuspended, type NewSuspension } from '../../../sdk';
import { Action } from '../panel/action';
import { InstantField, instantOf, localTime } from '../panel/instant';
import { accounts } from './texts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

export function SuspendAction({ account }: { account: AccountDetails }) {
  const t = useTexts(accounts);
  const [until, setUntil] = useState(() => localTime(new Date(Date.now() + WEEK_MS).toISOString()));
  const [isForEver, setIsForEver] = useState(false);
  const body = (reason: string): NewSuspension | undefined => {
    const end = instantOf(until);
    if (isForEver) return { account_id: account.account_id, reason };
    return end === undefined ? undefined : { account_id: account.account_id, until: end, reason };
  };
  return (
    <Action<NewSuspension, AccountSuspended>
      name={`account.suspend/${account.account_id}`}
      send={(sent, headers) => adminSuspendAccount({ body: sent, headers })}
      label={account.suspended ? t.changeSuspension : t.suspend}
      look="danger"
      title={t.suspendTitle(account.name)}
      text={t.suspendText}
      confirm={isForEver ? t.ban : t.suspend}
      reasonHint={t.playerReads}
      body={body}
      done={(result) => t.suspendDone(account.name, result?.ended_sessions ?? 0)}
      audit={{ action: 'account.suspend', about_account_id: account.account_id }}
    >
      <Checkbox label={t.forEver} checked={isForEver} onValue={setIsForEver} />
      {!isForEver && <InstantField label={t.until} value={until} onValue={setUntil} required />}
    </Action>
  );
}
