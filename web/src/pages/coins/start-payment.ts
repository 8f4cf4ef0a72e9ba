// The command that starts a payment, and leads to its page.

import { useRef } from 'preact/hooks';
import { useCommand, type Command } from '../../api/command';
import { useNavigateFromHere } from '../../look/navigation';
import { href } from '../../routes';
import { paymentCreate, type AccountId, type NewPayment, type PaymentCreated } from '../../sdk';
import { rememberPayment } from './remembered';

export type StartPayment = Command<NewPayment, PaymentCreated> & {
  /** What the player wanted to start last, also if it was refused or not sent. */
  started: NewPayment | undefined;
};

export function useStartPayment(accountId: AccountId | undefined): StartPayment {
  const navigate = useNavigateFromHere();
  const started = useRef<NewPayment>();

  const command = useCommand<NewPayment, PaymentCreated>({
    name: `payment.create/${accountId ?? ''}`,
    send: async (body, headers) => {
      started.current = body;
      const answer = await paymentCreate({ body, headers });
      // The operation has the id of the payment. It is known before a slow provider has registered the payment.
      if (answer.data && accountId !== undefined) rememberPayment(accountId, answer.data.operation_id);
      return answer;
    },
    onDone: (result) => {
      if (result) navigate(href('payment', { id: result.payment_id }));
    },
  });
  const send = (body: NewPayment): void => {
    if (!command.isBusy) started.current = body;
    command.send(body);
  };
  return { ...command, send, started: started.current };
}
