// The language of the page, and texts in three languages.

import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

export const LANGUAGES = ['en', 'pt', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

const STORED = 'guildhall.language';

function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages];
  for (const tag of wanted) {
    const language = LANGUAGES.find((known) => tag?.toLowerCase().startsWith(known));
    if (language) return language;
  }
  return 'en';
}

interface LanguageChoice {
  language: Language;
  choose: (language: Language) => void;
}

const Context = createContext<LanguageChoice>({ language: 'en', choose: () => undefined });

export function LanguageProvider({ children }: { children: ComponentChildren }) {
  const [language, setLanguage] = useState(preferredLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choose = (next: Language): void => {
    localStorage.setItem(STORED, next);
    setLanguage(next);
  };
  return <Context.Provider value={{ language, choose }}>{children}</Context.Provider>;
}

export function useLanguage(): LanguageChoice {
  return useContext(Context);
}

/** Texts of a part of the site. A text that is missing in a language does not compile. */
export function texts<T>(languages: { en: T; pt: NoInfer<T>; es: NoInfer<T> }): Record<Language, T> {
  return languages;
}

export function useTexts<T>(languages: Record<Language, T>): T {
  return languages[useLanguage().language];
}

/** `forms.one` for a count of one and `forms.other` for others, as the rules of the language say. */
export function plural(language: Language, count: number, forms: { one: string; other: string }): string {
  const form = new Intl.PluralRules(language).select(count) === 'one' ? forms.one : forms.other;
  return form.replace('#', new Intl.NumberFormat(language).format(count));
}
