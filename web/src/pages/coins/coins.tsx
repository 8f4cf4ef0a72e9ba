// Coins to buy: packages, and any other amount.

import { useQuery } from '@tanstack/preact-query';
import { Link, useSearchParams } from 'wouter-preact';
import { useAccount } from '../../api/account';
import { useSession } from '../../api/session';
import { useTexts } from '../../language/language';
import { Page } from '../../look/page';
import { Empty, Loaded } from '../../look/query';
import { href } from '../../routes';
import type { Account, CoinPackage, Currency } from '../../sdk';
import { paymentPackagesOptions } from '../../sdk/@tanstack/preact-query.gen';
import { OpenPayments } from './open-payments';
import { OwnAmount } from './own-amount';
import { Packages } from './packages';
import { OwnListLinks } from './own-list-links';
import { schemeOf } from './schemes';
import { coins } from './texts';
import { useStartPayment } from './start-payment';

const MOST_PACKAGES = 100;

export function CoinsPage() {
  const t = useTexts(coins);
  const session = useSession();
  const account = useAccount();
  const packages = useQuery(paymentPackagesOptions({ query: { limit: MOST_PACKAGES } }));
  return (
    <Page title={t.title} aside={account && <OwnListLinks />}>
      {account && <OpenPayments accountId={account.account_id} />}
      <Loaded query={packages}>
        {(list) => <PriceList packages={list.items} account={account} isGuest={session.state === 'guest'} />}
      </Loaded>
    </Page>
  );
}

interface PriceListProps {
  packages: CoinPackage[];
  account: Account | undefined;
  isGuest: boolean;
}

function PriceList({ packages, account, isGuest }: PriceListProps) {
  const t = useTexts(coins);
  const [search] = useSearchParams();
  const payment = useStartPayment(account?.account_id);
  const currencies = [...new Set(packages.map(({ price }) => price.currency))];
  const currency = currencies.find((known) => known === search.get('currency')) ?? currencies[0];
  const ofCurrency = packages.filter(({ price }) => price.currency === currency);
  const scheme = currency && schemeOf(currency);
  return (
    <>
      {currencies.length > 1 && <Schemes currencies={currencies} chosen={currency} />}
      {isGuest && <GuestHint />}
      {packages.length === 0 && <Empty>{t.noPackages}</Empty>}
      <Packages packages={ofCurrency} payment={account && payment} />
      {account && <OwnAmount payment={payment} scheme={currencies.length > 1 ? scheme : undefined} />}
    </>
  );
}

/** Each currency has one payment scheme, so the choice of the scheme is the choice of the currency. */
function Schemes({ currencies, chosen }: { currencies: Currency[]; chosen: Currency | undefined }) {
  const t = useTexts(coins);
  return (
    <nav class="tabs" aria-label={t.payWith}>
      {currencies.map((currency) => {
        const scheme = schemeOf(currency);
        return (
          <Link
            key={currency}
            href={`${href('coins')}?currency=${currency}`}
            aria-current={currency === chosen ? 'page' : undefined}
          >
            {scheme ? `${t.schemes[scheme]} (${currency})` : currency}
          </Link>
        );
      })}
    </nav>
  );
}

function GuestHint() {
  const t = useTexts(coins);
  const next = encodeURIComponent(href('coins'));
  return (
    <div class="notice">
      {t.guest}
      <span class="row">
        <Link class="button small" href={`${href('logIn')}?next=${next}`}>
          {t.logIn}
        </Link>
        <Link class="button quiet small" href={`${href('register')}?next=${next}`}>
          {t.register}
        </Link>
      </span>
    </div>
  );
}
