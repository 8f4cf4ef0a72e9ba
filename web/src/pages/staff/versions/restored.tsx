// The message about unsaved input of an earlier visit, with a way to drop it.

import { useTexts } from '../../../language/language';
import { Button, Notice } from '../../../look/controls';
import { panel } from '../panel/texts';
import type { DraftOf } from './draft';
import { versions } from './texts';

export function Restored<Values>({ draft }: { draft: DraftOf<Values> }) {
  const t = useTexts(versions);
  const p = useTexts(panel);
  if (!draft.isRestored) return null;
  return (
    <Notice>
      {t.restored}
      <Button look="quiet" small onClick={draft.discard}>
        {p.discardChanges}
      </Button>
    </Notice>
  );
}
