// Takes a coin package off sale.

import { useTexts } from '../../../language/language';
import { adminRetireCoinPackage, type AdminCoinPackage, type PackageToRetire } from '../../../sdk';
import { Action } from '../panel/action';
import { packages } from './texts';

export function RetirePackage({ item }: { item: AdminCoinPackage }) {
  const t = useTexts(packages);
  return (
    <Action<PackageToRetire>
      name={`package.retire/${item.package_id}`}
      send={(body, headers) => adminRetireCoinPackage({ body, headers })}
      label={t.retire}
      labelOf={item.name}
      look="danger"
      title={t.retireTitle(item.name)}
      text={t.retireText}
      confirm={t.retire}
      body={() => ({ package_id: item.package_id })}
      done={() => t.retireDone(item.name)}
      audit={{ action: 'coins.retire_package' }}
    />
  );
}
