// A small line chart. Its text alternative has the least, the greatest and the last value.

import { useId } from 'preact/hooks';
import { useLanguage, useTexts } from '../../../language/language';
import { health } from './texts';

interface Point {
  at: string;
  /** Undefined: not measured. The line has a gap. */
  value: number | undefined;
}

const WIDTH = 240;
const HEIGHT = 64;
const PADDING = 4;

export function LineChart({ title, points }: { title: string; points: Point[] }) {
  const t = useTexts(health);
  const { language } = useLanguage();
  const id = useId();
  const number = new Intl.NumberFormat(language);
  const values = points.map(({ value }) => value).filter((value) => value !== undefined);
  const greatest = Math.max(0, ...values);
  const least = Math.min(...values, greatest);
  const last = values.at(-1);
  const lines = linesOf(points, greatest);
  const format = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  const [first, end] = [points[0], points.at(-1)];
  return (
    <figure class="chart">
      <figcaption>
        <span>{title}</span>
        <strong class="number">{last === undefined ? t.unknown : number.format(last)}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-labelledby={id}>
        <title id={id}>
          {values.length === 0
            ? `${title}: ${t.unknown}`
            : t.summary(title, number.format(least), number.format(greatest), number.format(last ?? 0))}
        </title>
        <path class="chart-base" d={`M0 ${HEIGHT - PADDING}H${WIDTH}`} />
        {lines.map((line, place) => (
          <path key={place} class="chart-line" d={line} />
        ))}
      </svg>
      <p class="chart-scale faint" aria-hidden="true">
        <span>{first && format.format(new Date(first.at))}</span>
        <span>{t.upTo(number.format(greatest))}</span>
        <span>{end && format.format(new Date(end.at))}</span>
      </p>
    </figure>
  );
}

/** A path for each run of measured values. */
function linesOf(points: Point[], greatest: number): string[] {
  const start = Date.parse(points[0]?.at ?? '');
  const span = Math.max(1, Date.parse(points.at(-1)?.at ?? '') - start);
  const lines: string[] = [];
  let line = '';
  for (const { at, value } of points) {
    if (value === undefined) {
      if (line !== '') lines.push(line);
      line = '';
      continue;
    }
    const x = ((Date.parse(at) - start) / span) * WIDTH;
    const y = HEIGHT - PADDING - (greatest === 0 ? 0 : (value / greatest) * (HEIGHT - 2 * PADDING));
    line += `${line === '' ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}
