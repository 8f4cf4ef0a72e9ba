// Loads the version that somebody else saved, so that the page can show both.

import { useEffect } from 'preact/hooks';
import type { Command } from '../../../api/command';
import { queries } from '../../../api/queries';
import { clearReport } from '../panel/report';

export function useReloadOfChanges<Body, Result>({ state }: Command<Body, Result>): void {
  const code = state.step === 'refused' ? state.problem.code : '';
  useEffect(() => {
    if (state.step === 'sending') clearReport();
    if (code.endsWith('_changed')) void queries.invalidateQueries();
  }, [state]);
}
