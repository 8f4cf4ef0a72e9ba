// The account of the reader.

import { useQuery } from '@tanstack/preact-query';
import { accountMeOptions } from '../sdk/@tanstack/preact-query.gen';
import type { Account, Role } from '../sdk';
import { useSession } from './session';

/** The account that is logged in. Undefined for a guest, and until it is loaded. */
export function useAccount(): Account | undefined {
  const session = useSession();
  return useQuery({ ...accountMeOptions(), enabled: session.state === 'member' }).data;
}

export function hasRole(account: Account | undefined, ...roles: Role[]): boolean {
  return account?.roles.some((role) => role === 'admin' || roles.includes(role)) ?? false;
}
