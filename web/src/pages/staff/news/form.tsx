// The form of a post, with a preview of its text.

import { useState } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { useFieldError } from '../../../language/problems';
import { Button, Checkbox, TextArea, TextField } from '../../../look/controls';
import { InstantField, instantOf, localTime } from '../panel/instant';
import { DraftForm, type RecordFormProps } from '../versions/draft-form';
import { Preview } from './preview';
import { news } from './texts';
import type { PostValues } from './values';

export function PostForm<Body, Result>({ draft, command, body }: RecordFormProps<PostValues, Body, Result>) {
  const t = useTexts(news);
  const errorOf = useFieldError();
  const [isPreview, setIsPreview] = useState(false);
  const { values, base, version } = draft.draft;
  const { problem } = command;
  const isNew = version === 0;
  return (
    <DraftForm
      draft={draft}
      command={command}
      body={() => {
        if (values.body === '') setIsPreview(false); // the field shows that it is required
        return values.body === '' ? undefined : body();
      }}
      create={t.create}
    >
      <TextField
        label={t.postTitle}
        error={errorOf(problem, '/title')}
        required
        maxLength={150}
        value={values.title}
        onValue={(title) => draft.change({ title })}
      />
      <TextArea
        label={t.summary}
        hint={isNew ? t.summaryHintNew : t.summaryHint}
        error={errorOf(problem, '/summary')}
        maxLength={500}
        rows={2}
        isOneLine
        value={values.summary}
        onValue={(summary) => draft.change({ summary })}
      />
      <div class="field">
        <div class="row spread">
          <span class="label">{isPreview ? t.body : ''}</span>
          <Button look="quiet" small onClick={() => setIsPreview(!isPreview)}>
            {isPreview ? t.writeOn : t.preview}
          </Button>
        </div>
        {isPreview ? (
          <Preview body={values.body} />
        ) : (
          <TextArea
            label={t.bodyLabel}
            hint={t.bodyHint}
            error={errorOf(problem, '/body')}
            required
            maxLength={65536}
            rows={18}
            spellcheck
            value={values.body}
            onValue={(text) => draft.change({ body: text })}
          />
        )}
      </div>
      <InstantField
        label={t.publication}
        hint={isNew ? t.publicationHintNew : t.publicationHint}
        required={!isNew}
        value={localTime(values.published_at === '' ? undefined : values.published_at)}
        onValue={(local) => draft.change({ published_at: instantOf(local) ?? (isNew ? '' : base.published_at) })}
      />
      <Checkbox label={t.pinnedLabel} checked={values.pinned} onValue={(pinned) => draft.change({ pinned })} />
      <Checkbox label={t.hiddenLabel} checked={values.hidden} onValue={(hidden) => draft.change({ hidden })} />
    </DraftForm>
  );
}
