// Links to the lists of an account: the history of its coins, and its payments.

import { Link } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { href } from '../../routes';
import { historyTexts } from './history-texts';

export function OwnListLinks() {
  const t = useTexts(historyTexts);
  return (
    <div class="row">
      <Link class="button quiet" href={href('coinHistory')}>
        {t.coinHistory}
      </Link>
      <Link class="button quiet" href={href('payments')}>
        {t.payments}
      </Link>
    </div>
  );
}
