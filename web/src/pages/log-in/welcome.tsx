// The first page of a new account: the code of the mail, then the first character.

import { Link, useSearch } from 'wouter-preact';
import { useAccount } from '../../api/account';
import { useSession } from '../../api/session';
import { useTexts } from '../../language/language';
import { Notice } from '../../look/controls';
import { Loading } from '../../look/loading';
import { href, nextPage } from '../../routes';
import { VerifyEmail } from '../account/verify-email';
import { registerTexts } from './register-texts';

export function Welcome({ isLogInOver }: { isLogInOver: boolean }) {
  const t = useTexts(registerTexts);
  const session = useSession();
  const account = useAccount();
  const search = useSearch();
  const next = nextPage(search);
  if (session.state !== 'member' && isLogInOver) {
    return (
      <section class="sheet">
        <Notice look="good">{t.created}</Notice>
        <p>{t.logInNow}</p>
        <p>
          <Link class="button" href={href('logIn') + (search && `?${search}`)}>
            {t.logIn}
          </Link>
        </p>
      </section>
    );
  }
  if (!account) return <Loading />;
  const goOn = next === '/' ? href('characters') : next;
  return (
    <section class="sheet welcome">
      <Notice look="good">{account.email_verified ? t.verified : t.created}</Notice>
      {!account.email_verified && <VerifyEmail email={account.email} />}
      <div class="row">
        <Link class={account.email_verified ? 'button' : 'button quiet'} href={goOn}>
          {!account.email_verified ? t.later : next === '/' ? t.createCharacter : t.goOn}
        </Link>
      </div>
    </section>
  );
}
