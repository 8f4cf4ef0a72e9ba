// The offers, by category.

import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useCommand } from '../../../api/command';
import { plural, useLanguage, useTexts } from '../../../language/language';
import { Select } from '../../../look/controls';
import { Page } from '../../../look/page';
import { Empty, Loaded } from '../../../look/query';
import { Coins } from '../../../look/values';
import { href } from '../../../routes';
import { shopOfferReorder, type Category, type Offer, type OfferOrder } from '../../../sdk';
import { Sortable } from '../order/sortable';
import { order } from '../order/texts';
import { idOf, useListAddress, withParameters } from '../panel/address';
import { report } from '../panel/report';
import { Tag } from '../panel/table';
import { panel } from '../panel/texts';
import { catalogueOptions, type Catalogue } from './catalogue';
import { StockAction } from './stock';
import { offers } from './texts';

export function OfferList() {
  const t = useTexts(offers);
  const address = useListAddress();
  const chosen = idOf(address.filter('category'));
  const catalogue = useQuery(catalogueOptions());
  const create = (
    <Link class="button" href={withParameters(href('staffItem', { page: 'offers', id: 'new' }), { category: chosen })}>
      {t.create}
    </Link>
  );
  return (
    <Page title={t.title} aside={create}>
      <Loaded query={catalogue}>
        {(data) =>
          data.categories.length === 0 ? (
            <Empty>
              <p>{t.noCategory}</p>
              <Link class="button" href={href('staffItem', { page: 'categories', id: 'new' })}>
                {t.createCategory}
              </Link>
            </Empty>
          ) : (
            <ByCategory catalogue={data} chosen={chosen} onChoose={(category) => address.change({ category })} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface ByCategoryProps {
  catalogue: Catalogue;
  chosen: number | undefined;
  onChoose: (category: string) => void;
}

function ByCategory({ catalogue, chosen, onChoose }: ByCategoryProps) {
  const t = useTexts(offers);
  const p = useTexts(panel);
  const o = useTexts(order);
  const shown = catalogue.categories.filter(({ category_id }) => chosen === undefined || category_id === chosen);
  return (
    <>
      <div class="filters">
        <Select
          label={t.category}
          value={String(chosen ?? '')}
          choices={[
            ['', p.all],
            ...catalogue.categories.map(({ category_id, name }) => [String(category_id), name] as const),
          ]}
          onValue={onChoose}
        />
        <p class="faint">{o.hint}</p>
      </div>
      {shown.map((category) => {
        const items = catalogue.offers.filter((offer) => offer.category_id === category.category_id);
        return (
          <section key={category.category_id} class="sheet">
            <div class="row spread">
              <h2>
                {category.name} {category.hidden && <Tag look="warning">{t.hidden}</Tag>}
              </h2>
            </div>
            {items.length === 0 ? <p class="faint">{t.none}</p> : <SortableOffers category={category} items={items} />}
          </section>
        );
      })}
    </>
  );
}

function SortableOffers({ category, items }: { category: Category; items: Offer[] }) {
  const t = useTexts(offers);
  const o = useTexts(order);
  const { language } = useLanguage();
  const command = useCommand<OfferOrder>({
    name: `offer.reorder/${category.category_id}`,
    send: (body, headers) => shopOfferReorder({ body, headers }),
    onDone: () => report(o.saved, { action: 'shop.reorder_offers' }),
  });
  return (
    <Sortable
      label={category.name}
      items={items}
      idOf={(offer) => offer.offer_id}
      nameOf={(offer) => offer.name}
      command={command}
      body={(offer_ids) => ({ category_id: category.category_id, offer_ids })}
    >
      {(offer) => (
        <>
          <Link class="sortable-name" href={href('staffItem', { page: 'offers', id: offer.offer_id })}>
            {offer.name}
          </Link>
          {offer.hidden && <Tag look="warning">{t.hidden}</Tag>}
          <Coins count={offer.price} />
          <span class="faint">
            {offer.stock === undefined ? (
              t.unlimited
            ) : (
              <Tag look={offer.stock === 0 ? 'bad' : 'plain'}>{plural(language, offer.stock, t.pieces)}</Tag>
            )}
          </span>
          <span class="end">
            <StockAction offer={offer} />
          </span>
        </>
      )}
    </Sortable>
  );
}
