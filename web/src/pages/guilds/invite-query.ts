// Reads of open invites. The API lists them by POST, so the SDK has no options for the cache.

import { useQuery, type UseQueryResult } from '@tanstack/preact-query';
import { guildInvites } from '../../sdk';
import type { GuildInviteList, InviteFilter } from '../../sdk';

/** The open invites of a guild, or those of the reader's characters. */
export function useInvites(filter: InviteFilter, page: number, isEnabled: boolean): UseQueryResult<GuildInviteList> {
  return useQuery({
    queryKey: ['guildInvites', filter, page],
    queryFn: async ({ signal }) => {
      const { data } = await guildInvites({ body: filter, query: { page, limit: 50 }, signal, throwOnError: true });
      return data;
    },
    enabled: isEnabled,
  });
}
