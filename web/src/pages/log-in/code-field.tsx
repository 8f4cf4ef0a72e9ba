// The code of a second factor: six digits of an app, or a recovery code.

import { useEffect, useRef, useState } from 'preact/hooks';
import { texts, useTexts } from '../../language/language';
import { Button, Field } from '../../look/controls';
import './log-in.css';

const code = texts({
  en: {
    app: 'Code of your authenticator app',
    appHint: 'Six digits. They change every 30 seconds.',
    recovery: 'Recovery code',
    recoveryHint: 'One of the codes that you stored when you enabled the second factor. Each is valid once.',
    useRecovery: 'Use a recovery code',
    useApp: 'Use the app',
  },
  pt: {
    app: 'Código do aplicativo autenticador',
    appHint: 'Seis dígitos. Eles mudam a cada 30 segundos.',
    recovery: 'Código de recuperação',
    recoveryHint: 'Um dos códigos que você guardou ao ativar o segundo fator. Cada um vale uma vez.',
    useRecovery: 'Usar um código de recuperação',
    useApp: 'Usar o aplicativo',
  },
  es: {
    app: 'Código de tu aplicación de autenticación',
    appHint: 'Seis dígitos. Cambian cada 30 segundos.',
    recovery: 'Código de recuperación',
    recoveryHint: 'Uno de los códigos que guardaste al activar el segundo factor. Cada uno vale una vez.',
    useRecovery: 'Usar un código de recuperación',
    useApp: 'Usar la aplicación',
  },
});

interface CodeFieldProps {
  value: string;
  onValue: (value: string) => void;
  error?: string | undefined;
  /** Whether the field takes the focus when it appears. */
  focused?: boolean;
  /** Whether only a code of the app is possible, because the account has no recovery codes yet. */
  appOnly?: boolean;
}

export function CodeField({ value, onValue, error, focused, appOnly }: CodeFieldProps) {
  const t = useTexts(code);
  const [isRecovery, setRecovery] = useState(false);
  const element = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused || isRecovery) element.current?.focus();
  }, [isRecovery]);
  const change = (): void => {
    setRecovery(!isRecovery);
    onValue('');
  };
  return (
    <div class="field">
      <Field label={isRecovery ? t.recovery : t.app} hint={isRecovery ? t.recoveryHint : t.appHint} error={error}>
        {(input) => (
          <input
            {...input}
            ref={element}
            class="input code"
            name="code"
            autocomplete={isRecovery ? 'off' : 'one-time-code'}
            inputMode={isRecovery ? 'text' : 'numeric'}
            autocapitalize="none"
            spellcheck={false}
            required
            minLength={6}
            maxLength={isRecovery ? 32 : 9}
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        )}
      </Field>
      {!appOnly && (
        <p>
          <Button look="quiet" small onClick={change}>
            {isRecovery ? t.useApp : t.useRecovery}
          </Button>
        </p>
      )}
    </div>
  );
}
