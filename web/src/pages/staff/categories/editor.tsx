// The pages that create and edit a category.

import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useCommand } from '../../../api/command';
import { useTexts } from '../../../language/language';
import { useNavigateFromHere } from '../../../look/navigation';
import { Page } from '../../../look/page';
import { Loaded } from '../../../look/query';
import { href } from '../../../routes';
import {
  shopCategoryCreate,
  shopCategoryDestroy,
  shopCategoryUpdate,
  type Category,
  type CategorySaved,
  type ChangedCategory,
  type NewCategory,
} from '../../../sdk';
import { shopCategoryFindOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { catalogueOptions } from '../offers/catalogue';
import { Action } from '../panel/action';
import { report } from '../panel/report';
import { Conflict } from '../versions/conflict';
import { useDraft } from '../versions/draft';
import { useReloadOfChanges } from '../versions/reload';
import { Restored } from '../versions/restored';
import { CategoryForm, NEW_CATEGORY, useCategoryFields, valuesOf, type CategoryValues } from './form';
import { categories } from './texts';

/** The distance of two positions, so that something can be inserted between them. */
const STEP = 10;

function AllCategories() {
  const t = useTexts(categories);
  return <Link href={href('staffPage', { page: 'categories' })}>{t.all}</Link>;
}

export function NewCategoryPage() {
  const t = useTexts(categories);
  const navigate = useNavigateFromHere();
  const catalogue = useQuery(catalogueOptions());
  const draft = useDraft<CategoryValues>('categories/new', NEW_CATEGORY, 0);
  const command = useCommand<NewCategory, CategorySaved>({
    name: 'category.create/new',
    send: (body, headers) => shopCategoryCreate({ body, headers }),
    onDone: (_, sent) => {
      const isSent = draft.created({ ...body(), position: sent.position }, sent);
      if (isSent) navigate(href('staffPage', { page: 'categories' }));
      report(t.created(sent.name), { action: 'shop.create_category' });
    },
  });
  const last = Math.max(0, ...(catalogue.data?.categories.map(({ position }) => position) ?? []));
  const body = (): NewCategory => ({
    ...draft.draft.values,
    name: draft.draft.values.name.trim(),
    position: last + STEP,
  });
  return (
    <Page title={t.create} aside={<AllCategories />}>
      <Restored draft={draft} />
      <CategoryForm draft={draft} command={command} body={body} />
    </Page>
  );
}

export function CategoryPage({ id }: { id: number }) {
  const t = useTexts(categories);
  const category = useQuery(shopCategoryFindOptions({ path: { id } }));
  return (
    <Page title={category.data?.name ?? t.title} aside={<AllCategories />}>
      <Loaded query={category}>{(data) => <Editor category={data} />}</Loaded>
    </Page>
  );
}

function Editor({ category }: { category: Category }) {
  const t = useTexts(categories);
  const stored = valuesOf(category);
  const draft = useDraft<CategoryValues>(`categories/${category.category_id}`, stored, category.version);
  const fields = useCategoryFields();
  const command = useCommand<ChangedCategory, CategorySaved>({
    name: `category.edit/${category.category_id}`,
    send: (body, headers) => shopCategoryUpdate({ body, headers }),
    onDone: (result, body) => {
      draft.saved(body, result?.version ?? body.expected_version + 1);
      report(t.saved(body.name), { action: 'shop.edit_category' });
    },
  });
  useReloadOfChanges(command);
  const body = (): ChangedCategory => ({
    category_id: category.category_id,
    expected_version: draft.draft.version,
    position: category.position,
    ...draft.draft.values,
    name: draft.draft.values.name.trim(),
  });
  return (
    <>
      <Restored draft={draft} />
      {draft.isChanged && category.version > draft.draft.version ? (
        <Conflict
          draft={draft.draft}
          theirs={{ values: stored, version: category.version }}
          fields={fields}
          onMerged={(merged) => {
            command.reset();
            draft.replace(merged);
          }}
        />
      ) : (
        <CategoryForm draft={draft} command={command} body={body} />
      )}
      <div>
        <DeleteCategory category={category} onDone={draft.discard} />
      </div>
    </>
  );
}

function DeleteCategory({ category, onDone }: { category: Category; onDone: () => void }) {
  const t = useTexts(categories);
  const navigate = useNavigateFromHere();
  return (
    <Action<object>
      name={`category.destroy/${category.category_id}`}
      send={(_, headers) => shopCategoryDestroy({ path: { id: category.category_id }, headers })}
      label={t.delete}
      icon="trash"
      look="danger"
      title={t.deleteTitle(category.name)}
      text={t.deleteText}
      confirm={t.delete}
      body={() => ({})}
      onDone={() => {
        onDone();
        navigate(href('staffPage', { page: 'categories' }));
      }}
      done={() => t.deleted(category.name)}
      audit={{ action: 'shop.destroy_category' }}
    />
  );
}
