// What to do after a purchase was refused.

import { Link } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Icon } from '../../look/icon';
import { href } from '../../routes';
import type { Problem } from '../../sdk';
import { shop } from './texts';

export function NextStep({ problem }: { problem: Problem }) {
  const t = useTexts(shop);
  switch (problem.code) {
    case 'not_enough_coins':
    case 'coins_owed':
      return <BuyCoinsLink />;
    case 'email_not_verified':
      return <StepLink to={href('account')} text={t.verifyEmail} />;
    case 'account_limit_reached':
      return (
        <div class="stack">
          <p>{t.limitStep}</p>
          <StepLink to={href('purchases')} text={t.toPurchases} />
        </div>
      );
    case 'price_changed':
      return <p>{t.priceStep}</p>;
    case 'out_of_stock':
      return <p>{t.stockStep}</p>;
    case 'offer_not_found':
      return <p>{t.goneStep}</p>;
    case 'character_not_found':
      return <p>{t.characterStep}</p>;
    case 'character_being_deleted':
      return <StepLink to={href('characters')} text={t.toCharacters} />;
    default:
      return null;
  }
}

export function StepLink({ to, text }: { to: string; text: string }) {
  return (
    <div>
      <Link class="button quiet" href={to}>
        {text}
      </Link>
    </div>
  );
}

export function BuyCoinsLink() {
  const t = useTexts(shop);
  return (
    <Link class="button" href={href('coins')}>
      <Icon name="coins" />
      {t.buyCoins}
    </Link>
  );
}
