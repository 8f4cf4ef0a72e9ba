// A secret to copy.

import { useId, useRef, useState } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { Button } from '../../../look/controls';
import { tokens } from './texts';

export function SecretField({ label, secret }: { label: string; secret: string }) {
  const t = useTexts(tokens);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<'copied' | 'selected'>();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(secret);
      setOutcome('copied');
    } catch {
      // Without the permission for the clipboard, the reader copies the selected text.
      field.current?.focus();
      field.current?.select();
      setOutcome('selected');
    }
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} ref={field} class="input secret" readOnly spellcheck={false} value={secret} />
      <div class="row">
        <Button look="quiet" small icon={outcome === 'copied' ? 'check' : 'copy'} onClick={copy}>
          {t.copy}
        </Button>
        <span role="status">{outcome === undefined ? '' : outcome === 'copied' ? t.copied : t.selected}</span>
      </div>
    </div>
  );
}
