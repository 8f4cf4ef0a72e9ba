// The button that cancels a payment.

import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { CommandForm } from '../../look/command';
import { paymentCancel, type PaymentId } from '../../sdk';
import { coins } from './texts';

export function CancelPayment({ id }: { id: PaymentId }) {
  const t = useTexts(coins);
  const command = useCommand({
    name: `payment.cancel/${id}`,
    send: (_: object, headers) => paymentCancel({ path: { id }, headers }),
  });
  return <CommandForm command={command} body={() => ({})} button={t.cancel} icon="cross" look="quiet" />;
}
