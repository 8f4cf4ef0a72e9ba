// What a page shows while a read has no data, and the links between the pages of a list.

import type { UseQueryResult } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { isTemporary, problemOf } from '../api/problem';
import { useLanguage, useTexts } from '../language/language';
import { useProblemText } from '../language/problems';
import { Notice } from './controls';
import { Loading } from './loading';
import { look } from './texts';

interface LoadedProps<Data> {
  query: UseQueryResult<Data, unknown>;
  children: (data: Data) => ComponentChildren;
}

/** The data of a read. Old data stays visible while the server does not respond, with a notice. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const t = useTexts(look);
  const textOf = useProblemText();
  const { data, error, failureReason } = query;
  const isAway = failureReason !== null && isTemporary(failureReason);
  if (data === undefined) {
    if (error !== null && !isTemporary(error)) {
      const problem = problemOf(error);
      return <Notice look="bad">{problem?.status === 404 || !problem ? t.notFound : textOf(problem)}</Notice>;
    }
    return <Loading isAway={isAway} />;
  }
  return (
    <>
      {isAway && <Notice look="warning">{t.unreachable}</Notice>}
      {children(data)}
    </>
  );
}

interface PagerProps {
  page: number;
  pages: number | undefined;
  /** The address of another page of the list. */
  address: (page: number) => string;
}

export function Pager({ page, pages, address }: PagerProps) {
  const { language } = useLanguage();
  const t = useTexts(look);
  if (pages === undefined || pages < 2) return null;
  const number = new Intl.NumberFormat(language);
  return (
    <nav class="pager" aria-label={t.pageOf(number.format(page), number.format(pages))}>
      {page > 1 && (
        <Link class="button quiet small" href={address(page - 1)}>
          {t.previous}
        </Link>
      )}
      <span class="faint">{t.pageOf(number.format(page), number.format(pages))}</span>
      {page < pages && (
        <Link class="button quiet small" href={address(page + 1)}>
          {t.next}
        </Link>
      )}
    </nav>
  );
}

/** A place for something that does not exist yet, and what to do about it. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}
