// A password, and a button that shows what was typed.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { texts, useTexts } from '../../language/language';
import { Button, Field } from '../../look/controls';
import './log-in.css';

const password = texts({
  en: {
    show: 'Show',
    hide: 'Hide',
    showLong: 'Show the password',
    strong: 'At least 10 characters. Several uncommon words are best.',
  },
  pt: {
    show: 'Mostrar',
    hide: 'Ocultar',
    showLong: 'Mostrar a senha',
    strong: 'No mínimo 10 caracteres. O melhor são várias palavras incomuns.',
  },
  es: {
    show: 'Mostrar',
    hide: 'Ocultar',
    showLong: 'Mostrar la contraseña',
    strong: 'Al menos 10 caracteres. Lo mejor son varias palabras poco comunes.',
  },
});

/** The shortest new password that the API accepts. */
const SHORTEST = 10;

interface PasswordFieldProps {
  label: string;
  /** For password managers: a new password is suggested and stored, a current one is filled in. */
  kind: 'current-password' | 'new-password';
  value: string;
  onValue: (value: string) => void;
  error?: string | undefined;
  hint?: ComponentChildren;
}

export function PasswordField({ label, kind, value, onValue, error, hint }: PasswordFieldProps) {
  const t = useTexts(password);
  const [isShown, setShown] = useState(false);
  const isNew = kind === 'new-password';
  return (
    <Field label={label} hint={hint ?? (isNew ? t.strong : undefined)} error={error}>
      {(input) => (
        <div class="password">
          <input
            {...input}
            class="input"
            type={isShown ? 'text' : 'password'}
            name="password"
            autocomplete={kind}
            autocapitalize="none"
            spellcheck={false}
            required
            minLength={isNew ? SHORTEST : undefined}
            maxLength={256}
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          <Button look="quiet" small aria-label={t.showLong} aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? t.hide : t.show}
          </Button>
        </div>
      )}
    </Field>
  );
}
