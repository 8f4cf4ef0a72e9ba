// Sends money of a payment back.

import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLanguage, useTexts } from '../../../language/language';
import { TextField } from '../../../look/controls';
import { Coins } from '../../../look/values';
import { paymentRefund, type NewRefund, type PaymentDetails, type PaymentRefunded } from '../../../sdk';
import { adminAccountOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { Action } from '../panel/action';
import { panel } from '../panel/texts';
import { amountOf, minorText, moneyOf, refundable, typedMinorUnits } from './money';
import { payments } from './texts';

export function RefundAction({ details }: { details: PaymentDetails }) {
  const t = useTexts(payments);
  const p = useTexts(panel);
  const { language } = useLanguage();
  const { payment } = details;
  const { currency } = payment.amount;
  const left = refundable(details);
  const [typed, setTyped] = useState<string>();
  const account = useQuery({ ...adminAccountOptions({ path: { id: payment.account_id } }), enabled: left > 0 });
  if (left <= 0) return null;
  const text = typed ?? amountOf(left, currency);
  const amount = typedMinorUnits(text, currency);
  const error = amount === undefined || amount === 0 ? t.noAmount : amount > left ? t.tooMuch : undefined;
  return (
    <Action<NewRefund, PaymentRefunded>
      name={`payment.refund/${payment.payment_id}`}
      send={(body, headers) => paymentRefund({ path: { id: payment.payment_id }, body, headers })}
      label={t.refund}
      title={t.refundTitle(payment.account_name)}
      text={
        <>
          <p>{t.refundText}</p>
          <p>{t.refundDebt}</p>
          {account.data && (
            <p>
              {t.balanceNow} <Coins count={account.data.coins} />
            </p>
          )}
        </>
      }
      confirm={
        amount === undefined || error !== undefined ? t.refund : t.refundConfirm(minorText(amount, currency, language))
      }
      look="danger"
      reasonHint={p.reasonInAudit}
      body={(reason) =>
        amount === undefined || error !== undefined ? undefined : { amount: moneyOf(amount, currency), reason }
      }
      done={(result) => t.refundDone(result?.coins ?? 0, result?.balance ?? 0)}
      audit={{ action: 'payment.refund', about_account_id: payment.account_id }}
      onDone={() => setTyped(undefined)}
    >
      <TextField
        label={t.refundAmount(currency)}
        hint={t.refundLeft(minorText(left, currency, language))}
        error={error}
        inputMode="decimal"
        required
        value={text}
        onValue={setTyped}
      />
    </Action>
  );
}
