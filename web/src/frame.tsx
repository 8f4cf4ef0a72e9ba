// The frame of all pages: banner, navigation, footer.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { hasRole, useAccount } from './api/account';
import { API } from './api/client';
import { logOut, useSession } from './api/session';
import { frame } from './frame-texts';
import { LANGUAGES, useLanguage, useTexts, type Language } from './language/language';
import { Icon } from './look/icon';
import { Shield } from './look/shield';
import { chooseTheme, currentTheme } from './look/theme';
import { Coins } from './look/values';
import { href } from './routes';
import { SITE_NAME } from './site-name';

const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', pt: 'Português', es: 'Español' };

export function Frame({ children }: { children: ComponentChildren }) {
  const t = useTexts(frame);
  return (
    <>
      <a class="skip-link" href="#main">
        {t.skip}
      </a>
      <header class="banner">
        <div class="banner-row">
          <Link class="site-name" href={href('front')}>
            <Shield name={SITE_NAME} size={30} />
            {SITE_NAME}
          </Link>
          <Navigation />
          <div class="banner-end">
            <AccountMenu />
          </div>
        </div>
      </header>
      <div class="pennants" />
      <main class="page" id="main">
        {children}
      </main>
      <footer class="footer">
        <div class="footer-row">
          <span>{SITE_NAME}</span>
          <a href={`${API}/news/feed.atom`}>{t.feed}</a>
          <a href={`${API}/docs`}>{t.forDevelopers}</a>
          <ThemeButton />
          <LanguageChoice />
        </div>
      </footer>
    </>
  );
}

function Navigation() {
  const t = useTexts(frame);
  const [path] = useLocation();
  const pages = [
    [href('front'), t.news],
    [href('guilds'), t.guilds],
    [href('shop'), t.shop],
    [href('highscores'), t.highscores],
    [href('online'), t.online],
    [href('deaths'), t.deaths],
  ] as const;
  const isCurrent = (page: string): boolean => path === page || (page !== '/' && path.startsWith(`${page}/`));
  return (
    <nav class="navigation" aria-label={t.navigation}>
      {pages.map(([page, name]) => (
        <Link key={page} href={page} aria-current={isCurrent(page) ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

function AccountMenu() {
  const t = useTexts(frame);
  const session = useSession();
  const account = useAccount();
  const [path, navigate] = useLocation();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [path]);
  if (session.state === 'unknown') return null;
  if (session.state === 'guest') {
    return (
      <>
        <Link class="button quiet small" href={href('logIn')}>
          {t.logIn}
        </Link>
        <Link class="button quiet small" href={href('register')}>
          {t.register}
        </Link>
      </>
    );
  }
  const isStaff = hasRole(account, 'editor', 'merchant');
  return (
    <>
      {account && (
        <Link class="row" href={href('coins')}>
          <Icon name="coins" />
          <Coins count={account.coins} />
          <span class="visually-hidden">{t.buyCoins}</span>
        </Link>
      )}
      <details class="menu" ref={menu}>
        <summary>
          <Icon name="account" />
          {account?.name ?? t.account}
        </summary>
        <div class="menu-items">
          <Link href={href('characters')}>{t.characters}</Link>
          <Link href={href('invites')}>{t.invites}</Link>
          <Link href={href('purchases')}>{t.purchases}</Link>
          <Link href={href('coinHistory')}>{t.coinHistory}</Link>
          <Link href={href('account')}>{t.account}</Link>
          {isStaff && <Link href={href('staff')}>{t.staff}</Link>}
          <button
            type="button"
            onClick={async () => {
              if (await logOut()) navigate(href('front'));
              else alert(t.logOutFailed);
            }}
          >
            {t.logOut}
          </button>
        </div>
      </details>
    </>
  );
}

function LanguageChoice() {
  const t = useTexts(frame);
  const { language, choose } = useLanguage();
  return (
    <label class="row">
      <Icon name="globe" />
      <span class="visually-hidden">{t.language}</span>
      <select class="input" value={language} onChange={(event) => choose(event.currentTarget.value as Language)}>
        {LANGUAGES.map((choice) => (
          <option key={choice} value={choice} lang={choice}>
            {LANGUAGE_NAMES[choice]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Changes between the light and the dark look. */
function ThemeButton() {
  const t = useTexts(frame);
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  const change = (): void => {
    chooseTheme(other);
    setTheme(other);
  };
  return (
    <button type="button" class="button quiet small" onClick={change}>
      <Icon name={other === 'light' ? 'sun' : 'moon'} />
      {t[other]}
    </button>
  );
}
