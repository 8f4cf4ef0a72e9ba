// The password and the second factor.

import { useTexts } from '../../language/language';
import type { Account } from '../../sdk';
import { ChangePassword } from './change-password';
import { SecondFactor } from './second-factor';
import { securityTexts } from './security-texts';

export function SecurityTab({ account }: { account: Account }) {
  const t = useTexts(securityTexts);
  return (
    <div class="halves">
      <section class="sheet">
        <h2>{t.secondFactor}</h2>
        <SecondFactor account={account} />
      </section>
      <section class="sheet">
        <h2>{t.passwordTitle}</h2>
        <ChangePassword account={account} />
      </section>
    </div>
  );
}
