// A page: its title, its heading, and who may see it.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import { useSession } from '../api/session';
import { SITE_NAME } from '../site-name';
import { useTexts } from '../language/language';
import { href } from '../routes';
import { Loading } from './loading';
import { look } from './texts';

let isFirstPage = true;

interface PageProps {
  title: string;
  /** Beside the heading, such as a button. */
  aside?: ComponentChildren;
  /** Before the heading, such as the coat of arms of a guild. */
  before?: ComponentChildren;
  /** Under the heading, such as a line of facts. */
  below?: ComponentChildren;
  children: ComponentChildren;
}

/**
 * Sets the title of the window. After a link to another page, or to another page of a list, the heading gets the focus, so that
 * a screen reader starts there. A changed filter keeps the focus.
 */
export function Page({ title, aside, before, below, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [path] = useLocation();
  useEffect(() => {
    document.title = `${title} · ${SITE_NAME}`;
  }, [title]);
  const { place, filters } = usePartsOfSearch();
  const shown = useRef({ path, place, filters });
  useEffect(() => {
    const last = shown.current;
    // A filter leads to the first page of its list.
    const isFilter = last.path === path && last.filters !== filters && (place === '' || place === last.place);
    shown.current = { path, place, filters };
    if (!isFirstPage && !isFilter) {
      heading.current?.focus();
      scrollTo(0, 0);
    }
    isFirstPage = false;
  }, [path, place, filters]);
  return (
    <>
      <div class="row spread">
        <div class="page-heading">
          {before}
          <div>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {below}
          </div>
        </div>
        {aside}
      </div>
      {children}
    </>
  );
}

/** The parameters of the address: the page of a list, and all others. */
function usePartsOfSearch(): { place: string; filters: string } {
  const [search] = useSearchParams();
  const filters = new URLSearchParams(search);
  const place: string[] = [];
  for (const name of ['page', 'after']) {
    place.push(...filters.getAll(name));
    filters.delete(name);
  }
  return { place: place.join(' '), filters: filters.toString() };
}

/** Content that needs an account. A guest sees why, and a link to the log-in, which leads back to this page. */
export function Members({ reason, children }: { reason?: string; children: ComponentChildren }) {
  const t = useTexts(look);
  const session = useSession();
  const [path] = useLocation();
  if (session.state === 'unknown') return <Loading />;
  if (session.state === 'member') return <>{children}</>;
  const next = encodeURIComponent(path + location.search);
  return (
    <div class="empty">
      <p>{reason ?? t.needsAccount}</p>
      <div class="row">
        <Link class="button" href={`${href('logIn')}?next=${next}`}>
          {t.logIn}
        </Link>
        <Link class="button quiet" href={`${href('register')}?next=${next}`}>
          {t.register}
        </Link>
      </div>
    </div>
  );
}
