// The QR code of a payment. The API draws it: an SVG that is sharp at any size.

import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../../language/language';
import { Loaded } from '../../look/query';
import type { PaymentId } from '../../sdk';
import { paymentQrcodeSvgOptions } from '../../sdk/@tanstack/preact-query.gen';
import { coins } from './texts';

export function QrCode({ id }: { id: PaymentId }) {
  const image = useQuery({
    ...paymentQrcodeSvgOptions({ path: { id }, parseAs: 'blob' }),
    staleTime: Infinity, // the code of a payment never changes
  });
  // The sheet is white in the dark look too: bank apps need dark modules on a light ground.
  return (
    <div class="qr-code">
      <Loaded query={image}>{(blob) => <Image blob={blob} />}</Loaded>
    </div>
  );
}

function Image({ blob }: { blob: Blob }) {
  const t = useTexts(coins);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(blob);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [blob]);
  return url === undefined ? null : <img src={url} alt={t.qrCode} width={320} height={320} />;
}
