// Values as readers of the page's language write them: times, money, coins.

import type { Money as MoneyValue } from '../sdk';
import { plural, useLanguage, useTexts } from '../language/language';
import { look } from './texts';

/** An instant from the API (RFC 3339), in the time zone of the reader. Another text is shown as it is. */
export function Time({ at, date = false }: { at: string; date?: boolean }) {
  const { language } = useLanguage();
  const instant = new Date(at);
  if (Number.isNaN(instant.getTime())) return <>{at}</>;
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium' }).format(instant);
  const short = new Intl.DateTimeFormat(
    language,
    date ? { dateStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
  return (
    <time dateTime={at} title={full}>
      {short.format(instant)}
    </time>
  );
}

export function Money({ value }: { value: MoneyValue }) {
  const { language } = useLanguage();
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: value.currency });
  return <span class="number">{format.format(Number(value.amount))}</span>;
}

export function Coins({ count }: { count: number }) {
  const { language } = useLanguage();
  const t = useTexts(look);
  return <span class="number">{plural(language, count, { one: t.coin, other: t.coins })}</span>;
}

export function Count({ value }: { value: number }) {
  const { language } = useLanguage();
  return <span class="number">{new Intl.NumberFormat(language).format(value)}</span>;
}
