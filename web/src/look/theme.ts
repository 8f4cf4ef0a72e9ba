// The look that the reader has chosen: light or dark. Without a choice, it is that of the system.

export type Theme = 'light' | 'dark';

const STORED = 'guildhall.theme';

export function currentTheme(): Theme {
  const chosen = localStorage.getItem(STORED);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  applyTheme();
}

/** Applies the choice to the page. Without a choice, the page follows the system. */
export function applyTheme(): void {
  if (localStorage.getItem(STORED) !== null) document.documentElement.dataset['theme'] = currentTheme();
}
