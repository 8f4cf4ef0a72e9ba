// The categories of the shop, and the editor of one.

import { useQuery } from '@tanstack/preact-query';
import { Link, useParams } from 'wouter-preact';
import { useCommand } from '../../../api/command';
import { plural, useLanguage, useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { Page } from '../../../look/page';
import { Empty, Loaded } from '../../../look/query';
import { href } from '../../../routes';
import { shopCategoryReorder, type Category, type CategoryOrder } from '../../../sdk';
import { catalogueOptions, type Catalogue } from '../offers/catalogue';
import { order } from '../order/texts';
import { Sortable } from '../order/sortable';
import { idOf, withParameters } from '../panel/address';
import { report } from '../panel/report';
import { Tag } from '../panel/table';
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
            <SortableCategories catalogue={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

function SortableCategories({ catalogue }: { catalogue: Catalogue }) {
  const t = useTexts(categories);
  const o = useTexts(order);
  const { language } = useLanguage();
  const command = useCommand<CategoryOrder>({
    name: 'category.reorder/all',
    send: (body, headers) => shopCategoryReorder({ body, headers }),
    onDone: () => report(o.saved, { action: 'shop.reorder_categories' }),
  });
  const offersOf = ({ category_id }: Category): number =>
    catalogue.offers.filter((offer) => offer.category_id === category_id).length;
  return (
    <section class="sheet">
      <p class="faint">{o.hint}</p>
      <Sortable
        label={t.title}
        items={catalogue.categories}
        idOf={(category) => category.category_id}
        nameOf={(category) => category.name}
        command={command}
        body={(category_ids) => ({ category_ids })}
      >
        {(category) => (
          <>
            <Link class="sortable-name" href={href('staffItem', { page: 'categories', id: category.category_id })}>
              {category.name}
            </Link>
            {category.hidden && <Tag look="warning">{t.hidden}</Tag>}
            <span class="faint">{category.description}</span>
            <Link
              class="end"
              href={withParameters(href('staffPage', { page: 'offers' }), { category: category.category_id })}
            >
              {plural(language, offersOf(category), t.offerCount)}
            </Link>
          </>
        )}
      </Sortable>
    </section>
  );
}
