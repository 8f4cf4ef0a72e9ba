// Takes an offer out of the shop.

import { useTexts } from '../../../language/language';
import { useNavigateFromHere } from '../../../look/navigation';
import { href } from '../../../routes';
import { shopOfferDestroy, type Offer } from '../../../sdk';
import { Action } from '../panel/action';
import { offers } from './texts';

export function ArchiveOffer({ offer, onDone }: { offer: Offer; onDone: () => void }) {
  const t = useTexts(offers);
  const navigate = useNavigateFromHere();
  return (
    <Action<object>
      name={`offer.destroy/${offer.offer_id}`}
      send={(_, headers) => shopOfferDestroy({ path: { id: offer.offer_id }, headers })}
      label={t.archive}
      icon="trash"
      look="danger"
      title={t.archiveTitle(offer.name)}
      text={t.archiveText}
      confirm={t.archive}
      body={() => ({})}
      onDone={() => {
        onDone();
        navigate(href('staffPage', { page: 'offers' }));
      }}
      done={() => t.archived(offer.name)}
      audit={{ action: 'shop.destroy_offer' }}
    />
  );
}
