// The payments of all accounts.

import { useParams } from 'wouter-preact';
import { PaymentDetail } from './detail';
import { PaymentList } from './list';

export function Section() {
  const { id } = useParams<{ id?: string }>();
  return id === undefined ? <PaymentList /> : <PaymentDetail key={id} id={id} />;
}
