// Sentences for the problems of the API. The API writes them in English, for players and for developers. This file has the
// English ones that a reader of a page needs in other words; the other languages are loaded when a page uses them.

import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../sdk';
import { useLanguage, type Language } from './language';

export interface ProblemTexts {
  /** By the code of the problem. A code that is missing here is shown with the sentence of the API. */
  sentences: Record<string, string>;
  /** Errors of single fields: a pattern of the API's words, and the sentence for a reader. */
  fields: readonly (readonly [RegExp, string])[];
  suspendedUntil: (time: string, reason: string) => string;
  suspendedForEver: (reason: string) => string;
}

const ENGLISH: ProblemTexts = {
  sentences: {
    captcha_failed: 'The check against automatic registrations has expired. Try again.',
    captcha_required: 'This site checks that no program sends this request. Try again.',
    cross_origin_request: 'This page may not log in here. Open the site by its own address.',
    internal: 'The server has an internal error. Tell the staff of the site if it happens again.',
    invalid_challenge: 'The time to enter a code is over. Enter your password again.',
    invalid_request: 'Something is not valid. Check what you have entered.',
    no_such_path: 'This site does not have this function yet.',
    price_changed: 'The price of an offer has changed.',
    refresh_token_reused: 'Your session has ended. Log in again.',
    role_missing: 'Your account may not do this.',
    second_factor_missing: 'Your role needs a second factor. Enable it in the security settings of your account.',
    second_factor_required: 'This account has a second factor now. Log in again.',
    too_many_requests: 'There were too many attempts.',
    unauthorized: 'Your session has ended. Log in again.',
  },
  fields: [
    [/^must have (\d+) to \1 characters$/, 'Must have $1 characters.'],
    [/^must have (\d+) to (\d+) characters$/, 'Must have $1 to $2 characters.'],
    [/^must match .*$/, 'Has a form or characters that are not allowed here.'],
    [/^missing field .*$/, 'Is missing.'],
    [/^is easy to guess\. ?(.*?) ?Use several uncommon words$/, 'Is easy to guess. $1 Use several uncommon words.'],
    [/^([a-z])(.*[^.])\.?$/, '$1$2.'],
  ],
  suspendedUntil: (time, reason) => `This account is suspended until ${time}. The reason: ${reason}`,
  suspendedForEver: (reason) => `This account is suspended for ever. The reason: ${reason}`,
};

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
    const fields = errors.map((error) => fieldText(texts, error.detail));
    return [texts.sentences[problem.code] ?? problem.detail, ...fields].join(' ');
  };
}

/** The sentence about one field of the request: `/name` is the field `name`. Undefined if it has no error. */
export function useFieldError(): (problem: Problem | undefined, pointer: string) => string | undefined {
  const texts = useProblemTexts();
  return (problem, pointer) => {
    const error = problem?.errors?.find((candidate) => candidate.pointer === pointer);
    return error && fieldText(texts, error.detail);
  };
}

function fieldText(texts: ProblemTexts, detail: string): string {
  const rule = texts.fields.find(([pattern]) => pattern.test(detail));
  if (!rule) return detail;
  const sentence = detail.replace(...rule).replace(/ {2,}/g, ' ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** The end of a suspension and its reason. */
function suspensionText(problem: Problem, texts: ProblemTexts, language: Language): string | undefined {
  if (problem.code !== 'account_suspended' || problem.reason === undefined) return undefined;
  if (problem.suspended_until === undefined) return texts.suspendedForEver(problem.reason);
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' });
  return texts.suspendedUntil(format.format(new Date(problem.suspended_until)), problem.reason);
}
