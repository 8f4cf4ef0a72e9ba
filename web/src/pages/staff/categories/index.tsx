// The categories of the shop, and the editor of one.

import { useQuery } from '@tanstack/preact-query';
import { Link, useParams } from 'wouter-preact';
import { plural, useLanguage, useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { Page } from '../../../look/page';
import { Empty, Loaded } from '../../../look/query';
import { href } from '../../../routes';
import type { Category } from '../../../sdk';
import { catalogueOptions, type Catalogue } from '../offers/catalogue';
import { idOf, withParameters } from '../panel/address';
import { Table, Tag, type Column } from '../panel/table';
import { panel } from '../panel/texts';
import { CategoryPage, NewCategoryPage } from './editor';
import { categories } from './texts';

export function Section() {
  const t = useTexts(categories);
  const { id } = useParams<{ id?: string }>();
  if (id === undefined) return <CategoryList />;
  if (id === 'new') return <NewCategoryPage />;
  const categoryId = idOf(id);
  if (categoryId !== undefined) return <CategoryPage key={categoryId} id={categoryId} />;
  return (
    <Page title={t.title}>
      <Notice look="bad">{t.noNumber}</Notice>
    </Page>
  );
}

function CategoryList() {
  const t = useTexts(categories);
  const catalogue = useQuery(catalogueOptions());
  const create = (
    <Link class="button" href={href('staffItem', { page: 'categories', id: 'new' })}>
      {t.create}
    </Link>
  );
  return (
    <Page title={t.title} aside={create}>
      <Loaded query={catalogue}>
        {(data) =>
          data.categories.length === 0 ? (
            <Empty>
              <p>{t.none}</p>
              {create}
            </Empty>
          ) : (
            <CategoryTable catalogue={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

function CategoryTable({ catalogue }: { catalogue: Catalogue }) {
  const t = useTexts(categories);
  const p = useTexts(panel);
  const { language } = useLanguage();
  const offersOf = ({ category_id }: Category): number =>
    catalogue.offers.filter((offer) => offer.category_id === category_id).length;
  const columns: Column<Category>[] = [
    {
      head: t.name,
      look: 'main',
      cell: (category) => (
        <Link href={href('staffItem', { page: 'categories', id: category.category_id })}>{category.name}</Link>
      ),
    },
    { head: t.description, look: 'wide', cell: (category) => category.description },
    {
      head: p.state,
      cell: (category) => (
        <Tag look={category.hidden ? 'warning' : 'good'}>{category.hidden ? t.hidden : t.visible}</Tag>
      ),
    },
    {
      head: t.offers,
      cell: (category) => (
        <Link href={withParameters(href('staffPage', { page: 'offers' }), { category: category.category_id })}>
          {plural(language, offersOf(category), t.offerCount)}
        </Link>
      ),
    },
  ];
  return (
    <Table caption={t.title} columns={columns} items={catalogue.categories} keyOf={({ category_id }) => category_id} />
  );
}
