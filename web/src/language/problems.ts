// Sentences for the problems of the API in the language of the page. The English ones are always there; the other languages are
// loaded when a page uses them.

import { useEffect, useState } from 'preact/hooks';
import type { FieldError, Problem } from '../sdk';
import { useLanguage, type Language } from './language';
import type { FieldTexts } from './field-errors-en';
import { problems as ENGLISH, type ProblemTexts } from './problems-en';

const LOAD: Record<Exclude<Language, 'en'>, () => Promise<{ problems: ProblemTexts }>> = {
  pt: () => import('./problems-pt'),
  es: () => import('./problems-es'),
};

const loaded: Partial<Record<Language, ProblemTexts>> = { en: ENGLISH };

/** The texts in the language of the page. They are English until the others have arrived. */
function useProblemTexts(): ProblemTexts {
  const { language } = useLanguage();
  const [, setArrived] = useState('');
  useEffect(() => {
    if (language === 'en' || loaded[language]) return;
    LOAD[language]().then(
      ({ problems }) => {
        loaded[language] = problems;
        setArrived(language);
      },
      () => undefined, // the English sentences stay
    );
  }, [language]);
  return loaded[language] ?? ENGLISH;
}

/** The sentence about a problem, and the sentences about single fields of the request unless the form shows them. */
export function useProblemText(): (problem: Problem, fieldsShown?: boolean) => string {
  const { language } = useLanguage();
  const texts = useProblemTexts();
  return (problem, fieldsShown = false) => {
    const suspension = suspensionText(problem, texts, language);
    if (suspension !== undefined) return suspension;
    const errors = fieldsShown ? [] : (problem.errors ?? []);
    const fields = errors.map((error) => fieldText(texts, error));
    return [texts.sentences[problem.code] ?? problem.detail, ...fields].join(' ');
  };
}

/** The sentence about one field of the request: `/name` is the field `name`. Undefined if it has no error. */
export function useFieldError(): (problem: Problem | undefined, pointer: string) => string | undefined {
  const texts = useProblemTexts();
  return (problem, pointer) => {
    const error = problem?.errors?.find((candidate) => candidate.pointer === pointer);
    return error && fieldText(texts, error);
  };
}

/** The sentence about an error. A newer API may have a code that is unknown here. */
function fieldText({ fields }: ProblemTexts, { code, parameters = {}, detail }: FieldError): string {
  const known: Partial<FieldTexts> = fields;
  return known[code]?.(parameters) ?? detail;
}

/** The end of a suspension and its reason. */
function suspensionText(problem: Problem, texts: ProblemTexts, language: Language): string | undefined {
  if (problem.code !== 'account_suspended' || problem.reason === undefined) return undefined;
  if (problem.suspended_until === undefined) return texts.suspendedForEver(problem.reason);
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' });
  return texts.suspendedUntil(format.format(new Date(problem.suspended_until)), problem.reason);
}
