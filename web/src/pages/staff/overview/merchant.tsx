// The shop at a glance: offers that are sold out or soon will be.

import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { plural, useLanguage, useTexts } from '../../../language/language';
import { Loaded } from '../../../look/query';
import { href } from '../../../routes';
import { catalogueOptions } from '../offers/catalogue';
import { overview } from './texts';

const FEW = 5;

export function MerchantPart() {
  const t = useTexts(overview);
  const { language } = useLanguage();
  const catalogue = useQuery(catalogueOptions());
  return (
    <section class="sheet" aria-labelledby="overview-shop">
      <div class="row spread">
        <h2 id="overview-shop">{t.shop}</h2>
        <Link class="button small" href={href('staffItem', { page: 'offers', id: 'new' })}>
          {t.newOffer}
        </Link>
      </div>
      <Loaded query={catalogue}>
        {({ offers }) => {
          const few = offers.filter(({ stock, hidden }) => !hidden && stock !== undefined && stock <= FEW);
          return few.length === 0 ? (
            <p class="faint">{t.enoughStock}</p>
          ) : (
            <ul class="lines">
              {few.map((offer) => (
                <li key={offer.offer_id}>
                  <Link href={href('staffItem', { page: 'offers', id: offer.offer_id })}>{offer.name}</Link>
                  <span class={`tag end ${offer.stock === 0 ? 'bad' : 'warning'}`}>
                    {offer.stock === 0 ? t.soldOut : plural(language, offer.stock ?? 0, t.left)}
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
      <p class="row">
        <Link href={href('staffPage', { page: 'offers' })}>{t.allOffers}</Link>
        <Link href={href('staffPage', { page: 'categories' })}>{t.categories}</Link>
      </p>
    </section>
  );
}
