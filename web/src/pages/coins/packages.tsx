// The packages of coins.

import { useLanguage, useTexts } from '../../language/language';
import { CommandNotice } from '../../look/command';
import { Button } from '../../look/controls';
import { Icon } from '../../look/icon';
import { Coins, Money } from '../../look/values';
import type { CoinPackage } from '../../sdk';
import type { StartPayment } from './start-payment';
import { coins } from './texts';

interface PackagesProps {
  /** Of one currency. */
  packages: CoinPackage[];
  /** Undefined for a guest. */
  payment: StartPayment | undefined;
}

export function Packages({ packages, payment }: PackagesProps) {
  const sorted = [...packages].sort((a, b) => Number(a.price.amount) - Number(b.price.amount));
  const smallest = sorted[0];
  return (
    <ul class="cards">
      {sorted.map((pack) => (
        <Package key={pack.package_id} pack={pack} smallest={smallest ?? pack} payment={payment} />
      ))}
    </ul>
  );
}

interface PackageProps {
  pack: CoinPackage;
  smallest: CoinPackage;
  payment: StartPayment | undefined;
}

function Package({ pack, smallest, payment }: PackageProps) {
  const t = useTexts(coins);
  const { language } = useLanguage();
  const isStarted = payment?.started?.package_id === pack.package_id;
  return (
    <li class="sheet package">
      <h2>{pack.name}</h2>
      <p class="package-coins">
        <Icon name="coins" size={28} />
        <Coins count={pack.coins} />
      </p>
      <Bonus pack={pack} smallest={smallest} />
      <div class="card-foot package-foot">
        <p class="price">
          <Money value={pack.price} />
        </p>
        {payment && (
          <Button
            isBusy={payment.isBusy}
            aria-label={t.buyPackage(pack.name, new Intl.NumberFormat(language).format(pack.coins))}
            onClick={() => payment.send({ package_id: pack.package_id })}
          >
            {isStarted && payment.isBusy ? t.starting : t.buy}
          </Button>
        )}
      </div>
      {isStarted && <CommandNotice command={payment} />}
    </li>
  );
}

/** How many more coins than the same money buys with the smallest package. */
function Bonus({ pack, smallest }: { pack: CoinPackage; smallest: CoinPackage }) {
  const t = useTexts(coins);
  const { language } = useLanguage();
  const usual = (Number(pack.price.amount) / Number(smallest.price.amount)) * smallest.coins;
  const more = Math.floor(pack.coins - usual);
  if (more < 1) return <p class="faint">{t.noBonus}</p>;
  const share = new Intl.NumberFormat(language, { style: 'percent' }).format(more / usual);
  return (
    <p>
      <span class="tag good">{t.bonus(new Intl.NumberFormat(language).format(more), share)}</span>
    </p>
  );
}
