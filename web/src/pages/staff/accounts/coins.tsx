// Adds coins to an account, or removes them.

import { useState } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { TextField } from '../../../look/controls';
import { Coins } from '../../../look/values';
import { adminAdjustCoins, type AccountDetails, type CoinAdjustment, type CoinsAdjusted } from '../../../sdk';
import { Action } from '../panel/action';
import { panel } from '../panel/texts';
import { accounts } from './texts';

export function AdjustCoins({ account }: { account: AccountDetails }) {
  const t = useTexts(accounts);
  const p = useTexts(panel);
  const [typed, setTyped] = useState('');
  const coins = /^[+-]?\d{1,10}$/.test(typed.trim()) ? Number(typed) : undefined;
  const isValid = coins !== undefined && coins !== 0;
  return (
    <Action<CoinAdjustment, CoinsAdjusted>
      name={`coins.adjust/${account.account_id}`}
      send={(body, headers) => adminAdjustCoins({ body, headers })}
      label={t.adjust}
      icon="coins"
      title={t.adjustTitle(account.name)}
      text={t.adjustText}
      confirm={t.adjust}
      reasonHint={p.reasonInAudit}
      body={(reason) => (isValid ? { account_id: account.account_id, coins, reason } : undefined)}
      done={(result) => t.adjusted(account.name, result?.balance ?? 0)}
      audit={{ action: 'coins.adjust', about_account_id: account.account_id }}
      onDone={() => setTyped('')}
    >
      <TextField
        label={t.adjustCoins}
        hint={
          isValid ? (
            <>
              {t.balance} <Coins count={account.coins} /> → <Coins count={account.coins + coins} />
            </>
          ) : (
            t.adjustHint
          )
        }
        error={typed !== '' && typed !== '-' && typed !== '+' && !isValid ? t.noCoins : undefined}
        required
        value={typed}
        onValue={setTyped}
      />
    </Action>
  );
}
