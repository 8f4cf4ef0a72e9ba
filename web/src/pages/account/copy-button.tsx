import { useState } from 'preact/hooks';
import { useTexts } from '../../language/language';
import { Button } from '../../look/controls';
import { securityTexts } from './security-texts';

/** Copies a text. Browsers allow it only on pages with HTTPS and on localhost. */
export function CopyButton({ text }: { text: string }) {
  const t = useTexts(securityTexts);
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );
  };
  return (
    <>
      <Button look="quiet" small icon="copy" onClick={copy}>
        {t.copy}
      </Button>
      <span role="status" class="copy-outcome faint">
        {outcome && t[outcome]}
      </span>
    </>
  );
}
