// Sentences for the problems of the API. The API writes them in English, for players and for developers. This file has the
// English ones that a reader of a page needs in other words.

import { fieldErrors, type FieldTexts } from './field-errors-en';

export interface ProblemTexts {
  /** By the code of the problem. A code that is missing here is shown with the sentence of the API. */
  sentences: Record<string, string>;
  fields: FieldTexts;
  suspendedUntil: (time: string, reason: string) => string;
  suspendedForEver: (reason: string) => string;
}

export const problems: ProblemTexts = {
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
  fields: fieldErrors,
  suspendedUntil: (time, reason) => `This account is suspended until ${time}. The reason: ${reason}`,
  suspendedForEver: (reason) => `This account is suspended for ever. The reason: ${reason}`,
};
