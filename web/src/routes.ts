// The addresses of all pages. Links use the functions, routes the patterns.

export const patterns = {
  front: '/',
  post: '/news/:id',
  guilds: '/guilds',
  newGuild: '/guilds/new',
  guild: '/guilds/:name',
  invites: '/invites',
  characters: '/characters',
  highscores: '/highscores',
  online: '/online',
  deaths: '/deaths',
  character: '/characters/:name',
  shop: '/shop',
  cart: '/shop/cart',
  purchases: '/purchases',
  coins: '/coins',
  coinHistory: '/coins/history',
  payments: '/coins/payments',
  payment: '/coins/:id',
  logIn: '/log-in',
  register: '/register',
  verifyEmail: '/verify-email',
  undoEmailChange: '/undo-email-change',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  export: '/export',
  cancelDeletion: '/cancel-deletion',
  account: '/account',
  accountPage: '/account/:page',
  staff: '/staff',
  staffPage: '/staff/:page',
  staffItem: '/staff/:page/:id',
} as const;

export type PageName = keyof typeof patterns;

type Parameters<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string | number } & Parameters<Rest>
  : Pattern extends `${string}:${infer Name}`
    ? { [K in Name]: string | number }
    : unknown;

type Arguments<Pattern extends string> = unknown extends Parameters<Pattern> ? [] : [Parameters<Pattern>];

/** The address of a page: `href('guild', { name: 'Amber Circle' })`. */
export function href<Name extends PageName>(name: Name, ...[values]: Arguments<(typeof patterns)[Name]>): string {
  const given = (values ?? {}) as Record<string, string | number>;
  return patterns[name].replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(given[key] ?? ''));
}

/** The page to open after a log-in, from `?next=`. Only pages of this site: a link must not lead to another one. */
export function nextPage(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  return next.startsWith('/') && new URL(next, location.origin).origin === location.origin ? next : '/';
}
