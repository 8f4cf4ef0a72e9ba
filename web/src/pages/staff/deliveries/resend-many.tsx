// Resends many deliveries, such as after a game server lost its data.

import { useState } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { Select, TextField } from '../../../look/controls';
import { adminResendDeliveries, type DeliveriesResent, type DeliveriesToResend, type ResendStatus } from '../../../sdk';
import { Action } from '../panel/action';
import { idOf } from '../panel/address';
import { IdField } from '../panel/id-field';
import { InstantField, instantOf } from '../panel/instant';
import { panel } from '../panel/texts';
import { deliveries } from './texts';

export function ResendMany() {
  const t = useTexts(deliveries);
  const p = useTexts(panel);
  const [status, setStatus] = useState<ResendStatus>('parked');
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const [offer, setOffer] = useState('');
  const [character, setCharacter] = useState('');
  const body = (reason: string): DeliveriesToResend | undefined => {
    const [from, to] = [instantOf(since), instantOf(until)];
    const offerId = idOf(offer);
    if (from === undefined || to === undefined) return undefined;
    // Without its filter, a resend is for the deliveries of all offers.
    if (offer !== '' && offerId === undefined) return undefined;
    return {
      status,
      since: from,
      until: to,
      ...(offerId !== undefined && { offer_id: offerId }),
      ...(character !== '' && { character_name: character }),
      reason,
    };
  };
  return (
    <Action<DeliveriesToResend, DeliveriesResent>
      name="delivery.resend-many"
      send={(sent, headers) => adminResendDeliveries({ body: sent, headers })}
      label={t.many}
      title={t.many}
      text={t.manyText}
      confirm={t.many}
      look="danger"
      reasonHint={p.reasonInAudit}
      body={body}
      done={(result) => t.manyDone(result?.resent ?? 0, result?.more ?? false)}
      audit={{ action: 'delivery.resend_many' }}
    >
      <Select
        label={p.state}
        value={status}
        choices={[
          ['parked', t.statuses.parked],
          ['delivered', t.statuses.delivered],
        ]}
        hint={status === 'delivered' ? t.resendDelivered : undefined}
        onValue={setStatus}
      />
      <InstantField label={t.since[status]} value={since} onValue={setSince} required />
      <InstantField label={t.until} value={until} onValue={setUntil} required />
      <IdField label={t.offerNumber} hint={t.optional} value={offer} onValue={setOffer} />
      <TextField label={p.character} hint={t.optional} value={character} onValue={setCharacter} />
    </Action>
  );
}
