// The form of an offer.

import type { ComponentChildren } from 'preact';
import { useTexts } from '../../../language/language';
import { useFieldError } from '../../../language/problems';
import { Checkbox, Select, TextArea, TextField } from '../../../look/controls';
import type { Category } from '../../../sdk';
import { OfferPicture } from '../../shop/offer-picture';
import type { ConflictField } from '../versions/conflict';
import { DraftForm, type RecordFormProps } from '../versions/draft-form';
import { Grants } from './grants';
import { offers } from './texts';
import type { OfferValues } from './values';

export function useOfferFields(categories: Category[]): ConflictField<OfferValues>[] {
  const t = useTexts(offers);
  const categoryName = (id: number): string =>
    categories.find(({ category_id }) => category_id === id)?.name ?? `#${id}`;
  return [
    { name: 'name', label: t.name, show: (values) => values.name },
    { name: 'category_id', label: t.category, show: (values) => categoryName(values.category_id) },
    { name: 'description', label: t.description, isText: true, show: (values) => values.description },
    { name: 'picture', label: t.picture, show: (values) => values.picture || t.noPicture },
    { name: 'price', label: t.price, show: (values) => values.price },
    {
      name: 'grants',
      label: t.grants,
      show: (values) => values.grants.map(({ kind, id, count }) => `${count} × ${t.kinds[kind]} ${id}`).join(', '),
    },
    { name: 'account_limit', label: t.limit, show: (values) => values.account_limit || t.noLimit },
    { name: 'hidden', label: t.hidden, show: (values) => (values.hidden ? t.hidden : t.onSale) },
  ];
}

interface OfferFormProps<Body, Result> extends RecordFormProps<OfferValues, Body, Result> {
  categories: Category[];
  /** The field for the stock of a new offer. */
  children?: ComponentChildren;
}

export function OfferForm<Body, Result>({ draft, categories, command, body, children }: OfferFormProps<Body, Result>) {
  const t = useTexts(offers);
  const errorOf = useFieldError();
  const { problem } = command;
  const { values } = draft.draft;
  const grantError = problem?.errors?.find(({ pointer }) => pointer.startsWith('/grants'));
  return (
    <DraftForm draft={draft} command={command} body={body} create={t.createIt}>
      <div class="fields">
        <TextField
          label={t.name}
          hint={t.nameHint}
          error={errorOf(problem, '/name')}
          required
          maxLength={60}
          value={values.name}
          onValue={(name) => draft.change({ name })}
        />
        <Select
          label={t.category}
          value={String(values.category_id)}
          choices={categories.map(({ category_id, name }) => [String(category_id), name] as const)}
          onValue={(id) => draft.change({ category_id: Number(id) })}
        />
      </div>
      <TextArea
        label={t.description}
        error={errorOf(problem, '/description')}
        maxLength={2000}
        rows={3}
        value={values.description}
        onValue={(description) => draft.change({ description })}
      />
      <div class="picture-field">
        <OfferPicture picture={values.picture.startsWith('/pictures/') ? values.picture : ''} grants={values.grants} />
        <TextField
          label={t.picture}
          hint={t.pictureHint}
          error={errorOf(problem, '/picture')}
          maxLength={200}
          value={values.picture}
          onValue={(picture) => draft.change({ picture })}
        />
      </div>
      <Grants
        grants={values.grants}
        error={grantError && errorOf(problem, grantError.pointer)}
        onGrants={(grants) => draft.change({ grants })}
      />
      <div class="fields">
        <TextField
          label={t.price}
          hint={t.priceHint}
          error={errorOf(problem, '/price')}
          type="number"
          min="1"
          max="1000000000"
          required
          value={values.price}
          onValue={(price) => draft.change({ price })}
        />
        <TextField
          label={t.limit}
          hint={t.limitHint}
          error={errorOf(problem, '/account_limit')}
          type="number"
          min="1"
          max="1000000"
          value={values.account_limit}
          onValue={(account_limit) => draft.change({ account_limit })}
        />
        {children}
      </div>
      <Checkbox label={t.hide} checked={values.hidden} onValue={(hidden) => draft.change({ hidden })} />
    </DraftForm>
  );
}
