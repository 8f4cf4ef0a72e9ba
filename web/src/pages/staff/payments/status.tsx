// The status of a payment, as a word with its meaning.

import { useTexts } from '../../../language/language';
import { paymentStatuses } from '../../../look/payment-statuses';
import type { PaymentStatus } from '../../../sdk';
import { Tag, type TagLook } from '../panel/table';

const LOOKS: Record<PaymentStatus, TagLook> = {
  created: 'plain',
  pending: 'plain',
  paid: 'good',
  paid_late: 'good',
  underpaid: 'warning',
  overpaid: 'warning',
  expired: 'plain',
  cancelled: 'plain',
  failed: 'bad',
  review: 'bad',
  refund_pending: 'warning',
  partially_refunded: 'plain',
  refunded: 'plain',
  reversed: 'bad',
};

export const STATUSES = Object.keys(LOOKS) as PaymentStatus[];

export function StatusTag({ status }: { status: PaymentStatus }) {
  const t = useTexts(paymentStatuses);
  return <Tag look={LOOKS[status]}>{t[status]}</Tag>;
}
