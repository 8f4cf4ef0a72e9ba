// Beside the button that saves: whether there is something to save.

import { useTexts } from '../../../language/language';
import { Button } from '../../../look/controls';
import { panel } from '../panel/texts';
import type { DraftOf } from './draft';
import { versions } from './texts';

export function UnsavedMark<Values>({ draft }: { draft: DraftOf<Values> }) {
  const t = useTexts(versions);
  const p = useTexts(panel);
  if (!draft.isChanged) return <span class="faint">{draft.draft.version === 0 ? '' : t.nothingChanged}</span>;
  return (
    <>
      <Button look="quiet" onClick={draft.discard}>
        {p.discardChanges}
      </Button>
      <span class="faint">{t.unsaved}</span>
    </>
  );
}
