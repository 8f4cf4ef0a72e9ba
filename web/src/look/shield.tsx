// The coat of arms of a guild without a logo. It follows from the guild's name alone, so it is the same on each page, and the
// same as on the share cards that the server draws.

import { useId } from 'preact/hooks';

const OUTLINE = 'M2 2h36v20c0 12-8 19-18 24C10 41 2 34 2 22Z';

/** The divisions of the field: the part in the second colour. */
const DIVISIONS = [
  '', // plain
  'M20 0h20v48H20Z', // per pale
  'M0 22h40v26H0Z', // per fess
  'M0 0 40 40V0Z', // per bend
  'M0 0 20 22 0 46ZM40 0 20 22 40 46Z', // per saltire
  'M20 0h20v22H20ZM0 22h20v26H0Z', // quarterly
  'M0 34 20 16 40 34v10L20 26 0 44Z', // chevron
  'M0 0h40v13H0Z', // chief
] as const;

/** The colours of the field and of its part: one is dark, one is light. */
const COLOURS = [
  ['#16302b', '#b8862b'],
  ['#7c2532', '#f4ecd8'],
  ['#2f4a6d', '#f4ecd8'],
  ['#b8862b', '#7c2532'],
  ['#f4ecd8', '#2f4a6d'],
  ['#16302b', '#f4ecd8'],
  ['#b8862b', '#2f4a6d'],
  ['#7c2532', '#b8862b'],
] as const;

/** The charges, drawn around the middle of the field (20, 21). */
const CHARGES = [
  'M20 10l2.7 7.6h8l-6.4 4.9 2.4 7.7L20 25.6l-6.7 4.6 2.4-7.7-6.4-4.9h8Z', // star
  'M20 9l9 12-9 12-9-12Z', // lozenge
  'M20 30a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z', // roundel
  'M17 10h6v8h8v6h-8v8h-6v-8H9v-6h8Z', // cross
  'M10 30V16h4v4h3v-4h6v4h3v-4h4v14Z', // tower
  'M25 10a11 11 0 1 0 0 22 9 9 0 1 1 0-22Z', // crescent
  'M18.5 9h3v14h5v3h-5v6h-3v-6h-5v-3h5Z', // sword
  'M9 28l2-12 5 5 4-8 4 8 5-5 2 12Z', // crown
] as const;

/** FNV-1a with 32 bits over the UTF-8 bytes of the name in lower case. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name.toLowerCase())) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

export function Shield({ name, size = 40 }: { name: string; size?: number }) {
  // A page may have the same coat of arms several times. A clip path of a hidden one clips nothing, so each has its own.
  const outline = useId();
  const hash = hashOf(name);
  const [field, part] = COLOURS[(hash >>> 8) % COLOURS.length] ?? COLOURS[0];
  return (
    <svg class="shield" width={size} height={size * 1.2} viewBox="0 0 40 48" aria-hidden="true" focusable="false">
      <clipPath id={outline}>
        <path d={OUTLINE} />
      </clipPath>
      <g clip-path={`url(#${outline})`}>
        <path d="M0 0h40v48H0Z" fill={field} />
        <path d={DIVISIONS[hash % DIVISIONS.length]} fill={part} />
        <path
          d={CHARGES[(hash >>> 16) % CHARGES.length]}
          fill={part}
          stroke={field}
          stroke-width="1.5"
          paint-order="stroke"
        />
      </g>
      <path d={OUTLINE} fill="none" stroke="#b8862b" stroke-width="2" />
    </svg>
  );
}
