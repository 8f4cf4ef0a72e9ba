// What an administrator can do about the access of an account.

import { useTexts } from '../../../language/language';
import {
  adminExpirePassword,
  adminLiftSuspension,
  adminResetSecondFactor,
  adminVerifyEmail,
  type AccountAction,
  type AccountDetails,
} from '../../../sdk';
import { Action } from '../panel/action';
import { panel } from '../panel/texts';
import { SuspendAction } from './suspend';
import { accounts } from './texts';

export function AccessActions({ account }: { account: AccountDetails }) {
  const t = useTexts(accounts);
  const p = useTexts(panel);
  const id = account.account_id;
  const common = {
    body: (reason: string): AccountAction => ({ account_id: id, reason }),
    reasonHint: p.reasonInAudit,
  };
  const audit = (action: string) => ({ action, about_account_id: id });
  return (
    <>
      <SuspendAction account={account} />
      {account.suspended && (
        <Action<AccountAction>
          {...common}
          name={`account.lift/${id}`}
          send={(body, headers) => adminLiftSuspension({ body, headers })}
          label={t.lift}
          title={t.liftTitle(account.name)}
          text={t.liftText}
          confirm={t.lift}
          done={() => t.lifted(account.name)}
          audit={audit('account.lift_suspension')}
        />
      )}
      <Action<AccountAction>
        {...common}
        name={`account.expire-password/${id}`}
        send={(body, headers) => adminExpirePassword({ body, headers })}
        label={t.expire}
        look="danger"
        title={t.expireTitle(account.name)}
        text={t.expireText}
        confirm={t.expire}
        done={() => t.expired(account.name)}
        audit={audit('account.expire_password')}
      />
      <Action<AccountAction>
        {...common}
        name={`account.reset-second-factor/${id}`}
        send={(body, headers) => adminResetSecondFactor({ body, headers })}
        label={t.resetFactor}
        look="danger"
        title={t.resetFactorTitle(account.name)}
        text={t.resetFactorText}
        confirm={t.resetFactor}
        done={() => t.factorReset(account.name)}
        audit={audit('account.reset_second_factor')}
      />
      {!account.email_verified && (
        <Action<AccountAction>
          {...common}
          name={`account.verify-email/${id}`}
          send={(body, headers) => adminVerifyEmail({ body, headers })}
          label={t.verify}
          title={t.verifyTitle(account.email)}
          text={t.verifyText}
          confirm={t.verify}
          done={() => t.verifiedByHand(account.email)}
          audit={audit('account.verify_email_by_hand')}
        />
      )}
    </>
  );
}
