// Sentences for the problems of the API. The API writes them in English; this file has the other languages.

import type { Problem } from '../sdk';
import { texts, useLanguage } from './language';

/** The sentences by the code of the problem. A code that is missing here is shown with the sentence of the API. */
const SENTENCES = texts<Record<string, string>>({ en: {}, pt: {}, es: {} });

/** The sentence about a problem, with the sentences about single fields of the request. */
export function useProblemText(): (problem: Problem) => string {
  const { language } = useLanguage();
  return (problem) => {
    const fields = problem.errors?.map((error) => error.detail) ?? [];
    return [SENTENCES[language][problem.code] ?? problem.detail, ...fields].join(' ');
  };
}
