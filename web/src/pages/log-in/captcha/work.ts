// The messages between a page and the worker that solves a captcha.

/** A proof of work (docs/SECURITY.md): the fields of ALTCHA, version 1. */
export interface Work {
  algorithm: string;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
}

export type WorkMessage = { solution: string } | { progress: number } | { failed: true };
