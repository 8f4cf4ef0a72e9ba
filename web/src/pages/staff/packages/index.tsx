// The price list: coin packages, and the rate of each currency.

import { useParams } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { Page } from '../../../look/page';
import { idOf } from '../panel/address';
import { NewPackagePage, PackagePage } from './editor';
import { PriceList } from './list';
import { packages } from './texts';

export function Section() {
  const t = useTexts(packages);
  const { id } = useParams<{ id?: string }>();
  if (id === undefined) return <PriceList />;
  if (id === 'new') return <NewPackagePage />;
  const packageId = idOf(id);
  if (packageId !== undefined) return <PackagePage key={packageId} id={packageId} />;
  return (
    <Page title={t.title}>
      <Notice look="bad">{t.noNumber}</Notice>
    </Page>
  );
}
