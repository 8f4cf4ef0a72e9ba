// The picture of an offer, or a drawing of what it contains.

import { useState } from 'preact/hooks';
import type { Grant } from '../../sdk';
import { GrantDrawing, mainKind } from './grants';
import './shop.css';

interface OfferPictureProps {
  /** Its address on the site. Empty: no picture. */
  picture: string;
  grants: Pick<Grant, 'kind'>[];
  isSmall?: boolean;
}

export function OfferPicture({ picture, grants, isSmall = false }: OfferPictureProps) {
  const [missing, setMissing] = useState(''); // an empty address is one, too
  const size = isSmall ? 'small' : '';
  if (picture !== missing) {
    return (
      <span class={`offer-picture ${size}`}>
        <img src={picture} alt="" loading="lazy" onError={() => setMissing(picture)} />
      </span>
    );
  }
  return (
    <span class={`emblem ${size}`}>
      <GrantDrawing kind={mainKind(grants)} size={isSmall ? 22 : 30} />
    </span>
  );
}
