// The offers of the shop, and the editor of one.

import { useParams } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { Page } from '../../../look/page';
import { idOf } from '../panel/address';
import { NewOfferPage, OfferPage } from './editor';
import { OfferList } from './list';
import { offers } from './texts';

export function Section() {
  const t = useTexts(offers);
  const { id } = useParams<{ id?: string }>();
  if (id === undefined) return <OfferList />;
  if (id === 'new') return <NewOfferPage />;
  const offerId = idOf(id);
  if (offerId !== undefined) return <OfferPage key={offerId} id={offerId} />;
  return (
    <Page title={t.title}>
      <Notice look="bad">{t.noNumber}</Notice>
    </Page>
  );
}
