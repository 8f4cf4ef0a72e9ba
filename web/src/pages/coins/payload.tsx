// The text of the QR code, for a bank app on the same phone.

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useTexts } from '../../language/language';
import { Button, Notice } from '../../look/controls';
import { coins } from './texts';

const SHOWN_MS = 4_000;

export function Payload({ text }: { text: string }) {
  const t = useTexts(coins);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<'copied' | 'selected'>();
  useEffect(() => {
    if (outcome !== 'copied') return undefined;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async (): Promise<void> => {
    setOutcome((await copied(text, field.current)) ? 'copied' : 'selected');
  };
  return (
    <div class="payload">
      <label for={id}>{t.payload}</label>
      <input
        id={id}
        ref={field}
        class="input"
        readOnly
        value={text}
        spellcheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button icon={outcome === 'copied' ? 'check' : 'copy'} onClick={copy}>
        {outcome === 'copied' ? t.copied : t.copy}
      </Button>
      <div role="status">
        {outcome === 'copied' && <span class="visually-hidden">{t.copied}</span>}
        {outcome === 'selected' && <Notice>{t.selected}</Notice>}
      </div>
    </div>
  );
}

/** False if the browser does not let the page copy. Then the text is selected, so that the reader can copy it. */
async function copied(text: string, field: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers offer the clipboard only over HTTPS, and a reader may forbid it. The old command needs neither.
    field?.focus();
    field?.select();
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    return document.execCommand('copy');
  }
}
