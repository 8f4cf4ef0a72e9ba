// The reader's own characters.

import { useQuery } from '@tanstack/preact-query';
import { useSession } from '../../api/session';
import { accountCharactersOptions } from '../../sdk/@tanstack/preact-query.gen';

/** All characters of the account: a site allows fewer than a page has. */
export function useMyCharacters() {
  const session = useSession();
  return useQuery({ ...accountCharactersOptions({ query: { limit: 100 } }), enabled: session.state === 'member' });
}
