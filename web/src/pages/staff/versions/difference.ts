// The difference between two texts, line by line.

/** Lines that both texts have, or lines of one text and the lines of the other one in their place. */
export type Part = { same: string[] } | Change;

export interface Change {
  before: string[];
  after: string[];
}

/** Above this product of lines, the middle of the texts counts as one change: the comparison would be slow. */
const MOST_PAIRS = 4_000_000;

export function difference(before: string, after: string): Part[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = compared(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [{ same: a.slice(0, start) }, ...middle, { same: a.slice(a.length - end) }].filter(
    (part) => !('same' in part) || part.same.length > 0,
  );
}

function compared(a: string[], b: string[]): Part[] {
  if (a.length === 0 && b.length === 0) return [];
  if (a.length * b.length > MOST_PAIRS) return [{ before: a, after: b }];
  const common = commonLengths(a, b);
  const parts: Part[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const same: string[] = [];
    while (i < a.length && j < b.length && a[i] === b[j]) {
      same.push(a[i] ?? '');
      i++;
      j++;
    }
    if (same.length > 0) parts.push({ same });
    const change = { before: [] as string[], after: [] as string[] };
    while ((i < a.length || j < b.length) && (i >= a.length || j >= b.length || a[i] !== b[j])) {
      const isRemoved = j >= b.length || (i < a.length && at(common, i + 1, j) >= at(common, i, j + 1));
      if (isRemoved) change.before.push(a[i++] ?? '');
      else change.after.push(b[j++] ?? '');
    }
    if (change.before.length + change.after.length > 0) parts.push(change);
  }
  return parts;
}

/** `[i][j]`: how many lines `a` from line `i` and `b` from line `j` have in common, in this order. */
function commonLengths(a: string[], b: string[]): Uint32Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row) {
        row[j] = a[i] === b[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
      }
    }
  }
  return lengths;
}

function at(lengths: Uint32Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}

/** The text of the parts, with one choice for each change, in their order. */
export type Side = 'before' | 'after' | 'both';

export function joined(parts: Part[], sides: readonly Side[]): string {
  let change = 0;
  const lines = parts.flatMap((part) => {
    if ('same' in part) return part.same;
    const side = sides[change++] ?? 'before';
    if (side === 'both') return [...part.before, ...part.after];
    return part[side];
  });
  return lines.join('\n');
}

/** The side of a change that the text from which both were made does not have: that side is new. `before` if both are new. */
export function firstSide({ before, after }: Change, base: string): Side {
  const has = (lines: string[]): boolean => `\n${base}\n`.includes(`\n${lines.join('\n')}\n`);
  if (before.length === 0) return has(after) ? 'before' : 'after';
  if (after.length === 0) return has(before) ? 'after' : 'before';
  return has(before) && !has(after) ? 'after' : 'before';
}
