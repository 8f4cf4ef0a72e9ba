// Icons, drawn in the page: 24 × 24, lines of 1.75.

const PATHS = {
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20c1-4 4-6 8-6s7 2 8 6',
  coins:
    'M9 10c3.3 0 6-1.3 6-3s-2.7-3-6-3-6 1.3-6 3 2.7 3 6 3ZM3 7v5c0 1.7 2.7 3 6 3M15 7v3M3 12v5c0 1.7 2.7 3 6 3M15 16c3.3 0 6-1.3 6-3s-2.7-3-6-3-6 1.3-6 3 2.7 3 6 3ZM9 13v5c0 1.7 2.7 3 6 3s6-1.3 6-3v-5',
  cart: 'M3 4h2l2.5 11h10l2.5-8H6M9 20.5a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6ZM17 20.5a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6Z',
  check: 'M4 12.5 9.5 18 20 6',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  crown: 'M4 18h16l1-10-5 4-4-7-4 7-5-4 1 10Z',
  cross: 'M6 6l12 12M18 6 6 18',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  feed: 'M5 19.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2ZM4 11a9 9 0 0 1 9 9M4 4a16 16 0 0 1 16 16',
  gift: 'M4 11h16v9H4zM3 7h18v4H3zM12 7v13M12 7c-3 0-5-1-5-3s3-2 5 3c2-5 5-5 5-3s-2 3-5 3Z',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c3 3 3 15 0 18-3-3-3-15 0-18Z',
  key: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 12h9M17 12v4M21 12v3',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  pin: 'M9 3h6l-1 7 4 4H6l4-4-1-7ZM12 14v7',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 21 21',
  staff: 'M4 20h16M6 20V10M10 20V10M14 20V10M18 20V10M3 10l9-6 9 6H3Z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  trash: 'M5 7h14M10 7V4h4v3M6.5 7l1 13h9l1-13',
  users:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M15.5 4.3a3.5 3.5 0 0 1 0 6.4M18 14.5c2 .8 3.2 2.6 3.5 5.5',
  warning: 'M12 4 2.5 20h19L12 4ZM12 10v5M12 17.5v.5',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside a text. It is hidden from screen readers, which read the text. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
