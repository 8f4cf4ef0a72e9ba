// The form that creates or edits a record: a draft without changes is not sent.

import type { ComponentChildren } from 'preact';
import type { Command } from '../../../api/command';
import { useTexts } from '../../../language/language';
import { CommandForm } from '../../../look/command';
import { panel } from '../panel/texts';
import type { DraftOf } from './draft';
import { UnsavedMark } from './unsaved';

/** What a page gives to the form of its record. */
export interface RecordFormProps<Values, Body, Result> {
  draft: DraftOf<Values>;
  command: Command<Body, Result>;
  /** Undefined: the form is incomplete, and nothing is sent. */
  body: () => Body | undefined;
}

interface DraftFormProps<Values, Body, Result> extends RecordFormProps<Values, Body, Result> {
  /** The text of the button for a new record. */
  create: string;
  children: ComponentChildren;
}

export function DraftForm<Values, Body, Result>(props: DraftFormProps<Values, Body, Result>) {
  const { draft, command, body, create, children } = props;
  const p = useTexts(panel);
  return (
    <section class="sheet wide-form">
      <CommandForm
        command={command}
        fieldsShown
        body={() => {
          const complete = body();
          return draft.isChanged ? complete : undefined;
        }}
        button={draft.draft.version === 0 ? create : p.save}
        icon="check"
        after={<UnsavedMark draft={draft} />}
      >
        {children}
      </CommandForm>
    </section>
  );
}
