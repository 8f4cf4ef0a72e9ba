// A table of payments: those of a list, or of one account.

import { useTexts } from '../../../language/language';
import { Coins, Money, Time } from '../../../look/values';
import type { AdminPayment } from '../../../sdk';
import { AccountLink, PaymentLink } from '../panel/links';
import { Table, type Column } from '../panel/table';
import { panel } from '../panel/texts';
import { StatusTag } from './status';
import { payments } from './texts';

export function PaymentTable({ items, isOfAccount }: { items: AdminPayment[]; isOfAccount?: boolean }) {
  const t = useTexts(payments);
  const p = useTexts(panel);
  const columns: Column<AdminPayment>[] = [
    { head: t.payment, look: 'main', cell: (payment) => <PaymentLink id={payment.payment_id} /> },
    ...(isOfAccount
      ? []
      : [
          {
            head: p.account,
            cell: (payment: AdminPayment) => <AccountLink id={payment.account_id} name={payment.account_name} />,
          },
        ]),
    { head: p.state, cell: (payment) => <StatusTag status={payment.status} /> },
    { head: t.amount, look: 'number', cell: (payment) => <Money value={payment.amount} /> },
    { head: t.coins, look: 'number', cell: (payment) => <Coins count={payment.coins} /> },
    { head: t.scheme, cell: (payment) => payment.scheme.toUpperCase() },
    { head: p.created, cell: (payment) => <Time at={payment.created_at} /> },
  ];
  return <Table caption={t.title} columns={columns} items={items} keyOf={(payment) => payment.payment_id} />;
}
