// The log-in: name and password, then a code if the account has a second factor.

import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import type { RequestFailure } from '../../api/request';
import { useSession } from '../../api/session';
import { useTexts } from '../../language/language';
import { Page } from '../../look/page';
import { href, nextPage } from '../../routes';
import { CodeStep } from './code-step';
import { PasswordStep } from './password-step';
import { logInTexts } from './texts';

export function LogInPage() {
  const t = useTexts(logInTexts);
  const search = useSearch();
  const [, navigate] = useLocation();
  const session = useSession();
  const [login, setLogin] = useState('');
  const [challenge, setChallenge] = useState<string>();
  const [earlier, setEarlier] = useState<RequestFailure>();
  useEffect(() => {
    if (session.state === 'member') navigate(nextPage(search), { replace: true });
  }, [session.state]);
  return (
    <Page title={challenge === undefined ? t.logIn : t.codeTitle}>
      <div class="columns">
        <section class="sheet">
          {challenge === undefined ? (
            <PasswordStep login={login} onLogin={setLogin} earlier={earlier} onChallenge={setChallenge} />
          ) : (
            <CodeStep
              challenge={challenge}
              onBack={(failure) => {
                setEarlier(failure);
                setChallenge(undefined);
              }}
            />
          )}
        </section>
        <aside class="sheet">
          <h2>{t.newHere}</h2>
          <p>{t.newHereText}</p>
          <p>
            <Link class="button quiet" href={href('register') + (search && `?${search}`)}>
              {t.register}
            </Link>
          </p>
        </aside>
      </div>
    </Page>
  );
}
