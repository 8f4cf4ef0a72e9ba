// The form of a category.

import { useTexts } from '../../../language/language';
import { useFieldError } from '../../../language/problems';
import { Checkbox, TextArea, TextField } from '../../../look/controls';
import type { Category } from '../../../sdk';
import type { ConflictField } from '../versions/conflict';
import { DraftForm, type RecordFormProps } from '../versions/draft-form';
import { categories } from './texts';

export interface CategoryValues {
  name: string;
  description: string;
  hidden: boolean;
}

export const NEW_CATEGORY: CategoryValues = { name: '', description: '', hidden: false };

export function valuesOf({ name, description, hidden }: Category): CategoryValues {
  return { name, description, hidden };
}

export function useCategoryFields(): ConflictField<CategoryValues>[] {
  const t = useTexts(categories);
  return [
    { name: 'name', label: t.name, show: (values) => values.name },
    { name: 'description', label: t.description, isText: true, show: (values) => values.description },
    { name: 'hidden', label: t.hidden, show: (values) => (values.hidden ? t.hidden : t.visible) },
  ];
}

export function CategoryForm<Body, Result>({ draft, command, body }: RecordFormProps<CategoryValues, Body, Result>) {
  const t = useTexts(categories);
  const errorOf = useFieldError();
  const { problem } = command;
  const { values } = draft.draft;
  return (
    <DraftForm draft={draft} command={command} body={body} create={t.create}>
      <TextField
        label={t.name}
        hint={t.nameHint}
        error={errorOf(problem, '/name')}
        required
        maxLength={60}
        value={values.name}
        onValue={(name) => draft.change({ name })}
      />
      <TextArea
        label={t.description}
        error={errorOf(problem, '/description')}
        maxLength={2000}
        rows={3}
        value={values.description}
        onValue={(description) => draft.change({ description })}
      />
      <Checkbox label={t.hide} checked={values.hidden} onValue={(hidden) => draft.change({ hidden })} />
    </DraftForm>
  );
}
