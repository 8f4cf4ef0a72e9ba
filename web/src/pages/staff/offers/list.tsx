// The offers, by category.

import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { plural, useLanguage, useTexts } from '../../../language/language';
import { Select } from '../../../look/controls';
import { Page } from '../../../look/page';
import { Empty, Loaded } from '../../../look/query';
import { Coins } from '../../../look/values';
import { href } from '../../../routes';
import type { Offer } from '../../../sdk';
import { idOf, useListAddress, withParameters } from '../panel/address';
import { Table, Tag, type Column } from '../panel/table';
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
            {items.length === 0 ? <p class="faint">{t.none}</p> : <OfferTable items={items} caption={category.name} />}
          </section>
        );
      })}
    </>
  );
}

function OfferTable({ items, caption }: { items: Offer[]; caption: string }) {
  const t = useTexts(offers);
  const p = useTexts(panel);
  const { language } = useLanguage();
  const columns: Column<Offer>[] = [
    {
      head: t.name,
      look: 'main',
      cell: (offer) => <Link href={href('staffItem', { page: 'offers', id: offer.offer_id })}>{offer.name}</Link>,
    },
    {
      head: p.state,
      cell: (offer) => <Tag look={offer.hidden ? 'warning' : 'good'}>{offer.hidden ? t.hidden : t.onSale}</Tag>,
    },
    { head: t.price, look: 'number', cell: (offer) => <Coins count={offer.price} /> },
    {
      head: t.stock,
      cell: (offer) =>
        offer.stock === undefined ? (
          t.unlimited
        ) : (
          <Tag look={offer.stock === 0 ? 'bad' : 'plain'}>{plural(language, offer.stock, t.pieces)}</Tag>
        ),
    },
    { head: p.actions, look: 'actions', cell: (offer) => <StockAction offer={offer} /> },
  ];
  return <Table caption={caption} columns={columns} items={items} keyOf={(offer) => offer.offer_id} />;
}
