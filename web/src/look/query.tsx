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

/** The API does not count a longer list. Pages that begin after so many items have no number, only the place before them. */
export const MOST_COUNTED = 10_000;

interface PagerProps {
  /** The page as the API returns it. A list that is not counted has no `pages`. */
  list: { page: number; limit: number; pages?: number; next?: string };
  /** The address of another page of the list. */
  address: (page: number) => string;
  /** The address of the first page after a place of the list. Undefined is its beginning. */
  addressAfter?: (place: string | undefined) => string;
  /** The place after which the pages count, if it is not the beginning of the list. */
  after?: string | undefined;
}

export function Pager({ list, address, addressAfter, after }: PagerProps) {
  const { language } = useLanguage();
  const t = useTexts(look);
  const { page, limit, pages, next } = list;
  const hasNext = pages === undefined ? next !== undefined : page < pages;
  const isOnly = pages === undefined ? page === 1 && !hasNext && after === undefined : pages < 2;
  if (isOnly) return null;
  const number = new Intl.NumberFormat(language);
  const position = pages === undefined ? t.pages : t.pageOf(number.format(page), number.format(pages));
  const nextAddress = page * limit < MOST_COUNTED ? address(page + 1) : addressAfter?.(next);
  return (
    <nav class="pager" aria-label={position}>
      {after !== undefined && addressAfter && (
        <Link class="button quiet small" href={addressAfter(undefined)}>
          {t.firstPage}
        </Link>
      )}
      {page > 1 && (
        <Link class="button quiet small" href={address(page - 1)}>
          {t.previous}
        </Link>
      )}
      {pages !== undefined && <span class="faint">{position}</span>}
      {hasNext && nextAddress !== undefined && (
        <Link class="button quiet small" href={nextAddress}>
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
