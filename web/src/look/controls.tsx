// Buttons, fields and notices.

import type { ButtonHTMLAttributes, ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useTexts } from '../language/language';
import { Icon, type IconName } from './icon';
import { look } from './texts';

type ButtonLook = 'main' | 'quiet' | 'danger';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'look'> {
  look?: ButtonLook;
  icon?: IconName;
  small?: boolean;
  isBusy?: boolean;
}

export function Button({ look: kind = 'main', icon, small, isBusy, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind === 'main' ? '' : kind} ${small ? 'small' : ''}`}
      aria-disabled={isBusy}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  children: (input: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ComponentChildren;
}

/** A label, its control, a hint and the sentence about an error. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error !== undefined })}
      <div id={`${id}-hint`}>
        {error !== undefined && <p class="error">{error}</p>}
        {hint !== undefined && <p class="hint">{hint}</p>}
      </div>
    </div>
  );
}

/** A field for text: the attributes of its element, and what all fields have. */
type TextProps<Attributes> = Omit<Attributes, 'label' | 'value' | 'onInput'> & {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  value: string;
  onValue: (value: string) => void;
};

export function TextField({ label, hint, error, value, onValue, ...rest }: TextProps<InputHTMLAttributes>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(input) => (
        <input
          {...rest}
          {...input}
          class="input"
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface TextAreaProps extends TextProps<TextareaHTMLAttributes> {
  /** A line break becomes a space: the API refuses it. */
  isOneLine?: boolean | undefined;
}

export function TextArea({ label, hint, error, value, onValue, isOneLine = false, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(input) => (
        <textarea
          {...rest}
          {...input}
          class="input"
          value={value}
          onInput={({ currentTarget: { value: typed } }) =>
            onValue(isOneLine ? typed.replaceAll(/[\r\n]+/g, ' ') : typed)
          }
        />
      )}
    </Field>
  );
}

interface SelectProps<Value extends string> {
  label: string;
  hint?: ComponentChildren;
  value: Value;
  choices: readonly (readonly [Value, string])[];
  onValue: (value: Value) => void;
}

export function Select<Value extends string>({ label, hint, value, choices, onValue }: SelectProps<Value>) {
  return (
    <Field label={label} hint={hint}>
      {(input) => (
        <select
          {...input}
          class="input"
          value={value}
          onChange={(event) => onValue(event.currentTarget.value as Value)}
        >
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckboxProps {
  label: ComponentChildren;
  checked: boolean;
  /** Whether its form can be sent only if it is checked. */
  required?: boolean;
  onValue: (checked: boolean) => void;
}

export function Checkbox({ label, checked, required, onValue }: CheckboxProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={checked}
        required={required}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

export type NoticeLook = 'plain' | 'good' | 'warning' | 'bad';

/** A message about the page. Screen readers read it when it appears. */
export function Notice({ look: kind = 'plain', children }: { look?: NoticeLook; children: ComponentChildren }) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Only a button of the content closes it, such as after a secret that is shown once. */
  isKept?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog: Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, isOpen, isKept = false, onClose, children }: DialogProps) {
  const t = useTexts(look);
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) element.current?.showModal();
    else element.current?.close();
  }, [isOpen]);
  return (
    <dialog
      class="dialog"
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        if (isKept) event.preventDefault();
      }}
      onClose={() => {
        // Browsers let a second Escape close any dialog.
        if (isKept) element.current?.showModal();
        else onClose();
      }}
    >
      {isOpen && (
        <div class="sheet">
          <div class="sheet-heading">
            <h2 id={id}>{title}</h2>
            {!isKept && (
              <Button look="quiet" small icon="cross" onClick={() => element.current?.close()}>
                {t.close}
              </Button>
            )}
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
