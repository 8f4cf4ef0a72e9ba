// All coin packages. There are a few dozen at most, retired ones included.

import { queryOptions } from '@tanstack/preact-query';
import { adminCoinPackages, type AdminCoinPackage } from '../../../sdk';

const LIMIT = 100;

export function packagesOptions() {
  return queryOptions<AdminCoinPackage[], unknown>({
    queryKey: ['all-coin-packages'],
    queryFn: async ({ signal }) => {
      const packages: AdminCoinPackage[] = [];
      let after: string | undefined;
      do {
        const { data } = await adminCoinPackages({ query: { limit: LIMIT, after }, signal, throwOnError: true });
        packages.push(...data.items);
        after = data.next;
      } while (after !== undefined);
      return packages;
    },
  });
}
