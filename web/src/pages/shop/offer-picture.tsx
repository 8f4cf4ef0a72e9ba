// The picture of an offer, or a drawing of what it contains.

import { useState } from 'preact/hooks';
import type { Offer } from '../../sdk';
import { GrantDrawing, mainKind } from './grants';

interface OfferPictureProps {
  /** Missing: the offer is not known yet, or gone. */
  offer: Offer | undefined;
  isSmall?: boolean;
}

export function OfferPicture({ offer, isSmall = false }: OfferPictureProps) {
  const [missing, setMissing] = useState<string>();
  const address = offer?.picture ?? '';
  const size = isSmall ? 'small' : '';
  if (address !== '' && address !== missing) {
    return (
      <span class={`offer-picture ${size}`}>
        <img src={address} alt="" loading="lazy" onError={() => setMissing(address)} />
      </span>
    );
  }
  return (
    <span class={`emblem ${size}`}>
      <GrantDrawing kind={mainKind(offer?.grants ?? [])} size={isSmall ? 22 : 30} />
    </span>
  );
}
