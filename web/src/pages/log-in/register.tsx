// Registration. A new account is logged in at once, so that its owner can enter the code of the mail.

import { useState } from 'preact/hooks';
import { Link, useSearch } from 'wouter-preact';
import { useAccount } from '../../api/account';
import { logIn, useSession } from '../../api/session';
import { useTexts } from '../../language/language';
import { Icon } from '../../look/icon';
import { Page } from '../../look/page';
import { href } from '../../routes';
import type { NewAccount } from '../../sdk';
import { useCaptcha } from './captcha/captcha';
import { RegisterForm } from './register-form';
import { registerTexts } from './register-texts';
import { Welcome } from './welcome';

export function RegisterPage() {
  const t = useTexts(registerTexts);
  const session = useSession();
  const account = useAccount();
  const search = useSearch();
  const captcha = useCaptcha('log_in');
  const [registered, setRegistered] = useState<NewAccount>();
  const [isLogInOver, setLogInOver] = useState(false);
  const welcome = async (created: NewAccount): Promise<void> => {
    setRegistered(created);
    await logIn({ login: created.name, password: created.password }, await captcha.take());
    setLogInOver(true);
  };
  if (registered) {
    return (
      <Page title={t.welcome(registered.name)}>
        <Welcome isLogInOver={isLogInOver} />
      </Page>
    );
  }
  if (session.state === 'member') {
    return (
      <Page title={t.title}>
        <section class="sheet">
          <p>{account && t.already(account.name)}</p>
          <p>
            <Link class="button" href={href('account')}>
              {t.toAccount}
            </Link>
          </p>
        </section>
      </Page>
    );
  }
  return (
    <Page title={t.title}>
      <div class="columns">
        <section class="sheet">
          <RegisterForm onRegistered={(created) => void welcome(created)} />
        </section>
        <aside class="stack">
          <section class="sheet">
            <h2>{t.getsTitle}</h2>
            <ul class="promises">
              {(['account', 'users', 'coins'] as const).map((icon, index) => (
                <li key={icon}>
                  <Icon name={icon} /> {t.gets[index]}
                </li>
              ))}
            </ul>
          </section>
          <section class="sheet">
            <h2>{t.haveAccount}</h2>
            <p>{t.haveAccountText}</p>
            <p>
              <Link class="button quiet" href={href('logIn') + (search && `?${search}`)}>
                {t.logIn}
              </Link>
            </p>
          </section>
        </aside>
      </div>
    </Page>
  );
}
