// Solves a proof of work in a thread of its own, so that the page stays responsive.

import type { Work, WorkMessage } from './work';

/** Hashes that are computed at once: waiting for each alone takes three times as long. */
const BATCH = 500;

const encoder = new TextEncoder();

onmessage = ({ data }: MessageEvent<Work>) => {
  solve(data).catch(() => report({ failed: true }));
};

async function solve(work: Work): Promise<void> {
  const wanted = Uint8Array.from(work.challenge.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  for (let first = 0; first <= work.maxnumber; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, work.maxnumber + 1 - first) }, (_, index) => first + index);
    const hashes = await Promise.all(
      numbers.map((number) => crypto.subtle.digest(work.algorithm, encoder.encode(work.salt + String(number)))),
    );
    const found = hashes.findIndex((hash) => isEqual(new Uint8Array(hash), wanted));
    if (found >= 0) {
      const { algorithm, challenge, salt, signature } = work;
      report({ solution: btoa(JSON.stringify({ algorithm, challenge, number: first + found, salt, signature })) });
      return;
    }
    report({ progress: Math.min(1, (first + BATCH) / work.maxnumber) });
  }
  report({ failed: true });
}

function isEqual(hash: Uint8Array, wanted: Uint8Array): boolean {
  return hash.length === wanted.length && hash.every((byte, index) => byte === wanted[index]);
}

function report(message: WorkMessage): void {
  postMessage(message);
}
