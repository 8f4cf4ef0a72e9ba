// A text that members with the right can edit in its place.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Command } from '../../api/command';
import { useLanguage, useTexts } from '../../language/language';
import { CommandForm, CommandNotice } from '../../look/command';
import { Button, TextArea } from '../../look/controls';
import { guild as texts } from './guild-texts';

interface EditableTextProps<Body, Result> {
  title: string;
  text: string;
  /** What is shown instead of an empty text. */
  empty: string;
  /** The class of the text. */
  look: string;
  limit: number;
  isOneLine?: boolean;
  mayEdit: boolean;
  command: Command<Body, Result>;
  body: (text: string) => Body;
}

export function EditableText<Body, Result>(props: EditableTextProps<Body, Result>) {
  const { title, text, empty, look, mayEdit, command } = props;
  const t = useTexts(texts);
  /** Undefined: the text is not being edited. A refusal leaves the draft as it is. */
  const [draft, setDraft] = useState<string>();
  const section = useRef<HTMLElement>(null);
  const isEditing = draft !== undefined && mayEdit;
  const wasEditing = useRef(false);
  useEffect(() => {
    if (isEditing || wasEditing.current) {
      section.current?.querySelector<HTMLElement>(isEditing ? 'textarea' : 'button')?.focus();
    }
    wasEditing.current = isEditing;
  }, [isEditing]);
  const sent = useRef<string>();
  useEffect(() => {
    // What was typed since then stays.
    if (command.state.step === 'done') setDraft((current) => (current === sent.current ? undefined : current));
  }, [command.state.step]);
  return (
    <section class="sheet" ref={section}>
      <div class="sheet-heading">
        <h2>{title}</h2>
        {mayEdit && !isEditing && (
          <Button
            look="quiet"
            small
            aria-label={`${t.edit}: ${title}`}
            onClick={() => {
              command.reset();
              setDraft(text);
            }}
          >
            {t.edit}
          </Button>
        )}
      </div>
      {isEditing ? (
        <Editor
          {...props}
          draft={draft}
          onDraft={setDraft}
          body={(complete) => {
            sent.current = complete;
            return props.body(complete);
          }}
        />
      ) : (
        <>
          <p class={text === '' ? 'faint' : look}>{text === '' ? empty : text}</p>
          <CommandNotice command={command} done={t.saved} />
        </>
      )}
    </section>
  );
}

interface EditorProps<Body, Result> extends EditableTextProps<Body, Result> {
  draft: string;
  onDraft: (draft: string | undefined) => void;
}

function Editor<Body, Result>({ title, limit, isOneLine, command, body, draft, onDraft }: EditorProps<Body, Result>) {
  const t = useTexts(texts);
  const { language } = useLanguage();
  const number = new Intl.NumberFormat(language);
  // The API counts code points, not the units of JavaScript's strings.
  const length = Array.from(draft).length;
  const count = t.count(number.format(length), number.format(limit));
  return (
    <CommandForm
      command={command}
      body={() => (length > limit ? undefined : body(draft))}
      button={t.save}
      icon="check"
      after={
        <Button look="quiet" onClick={() => onDraft(undefined)}>
          {t.cancel}
        </Button>
      }
    >
      <TextArea
        label={title}
        hint={isOneLine ? `${t.oneLine} ${count}` : count}
        error={length > limit ? t.tooMany(number.format(length - limit)) : undefined}
        rows={isOneLine ? 3 : 8}
        value={draft}
        isOneLine={isOneLine}
        onValue={onDraft}
      />
    </CommandForm>
  );
}
