// What a page shows while it waits for its data.

import { useEffect, useState } from 'preact/hooks';
import { useSession } from '../api/session';
import { useTexts } from '../language/language';
import { look } from './texts';

const SLOW_MS = 4_000;

/** False at first, and true when the component has been shown for this time. */
export function useIsShownFor(milliseconds: number): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), milliseconds);
    return () => clearTimeout(timer);
  }, []);
  return isOver;
}

/** `isAway`: an attempt has failed. Without it, the server may be away too: some reads wait for the session. */
export function Loading({ isAway = false }: { isAway?: boolean }) {
  const t = useTexts(look);
  const session = useSession();
  const isSlow = useIsShownFor(SLOW_MS);
  const isServerAway = isAway || (session.state === 'unknown' && session.isAway);
  return (
    <div class="loading" role="status">
      {isServerAway ? t.unreachable : isSlow ? t.slow : t.loading}
    </div>
  );
}
