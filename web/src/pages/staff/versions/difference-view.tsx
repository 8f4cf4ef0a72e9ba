// A difference between two texts: side by side on a wide screen, one below the other on a phone.

import { useId } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import type { Part, Side } from './difference';
import { versions } from './texts';

interface DifferenceProps {
  parts: Part[];
  /** The names of the two texts. */
  heads: readonly [string, string];
  /** The chosen side of each change, if the reader can choose. */
  sides?: Side[];
  onSides?: (sides: Side[]) => void;
}

/** How many equal lines are shown around a change. */
const CONTEXT = 2;

export function Difference({ parts, heads, sides, onSides }: DifferenceProps) {
  const t = useTexts(versions);
  let change = -1;
  return (
    <div class="difference">
      <div class="difference-pair difference-heads">
        <p>− {heads[0]}</p>
        <p>+ {heads[1]}</p>
      </div>
      {parts.map((part, place) => {
        if ('same' in part)
          return <Same key={place} lines={part.same} isFirst={place === 0} isLast={place === parts.length - 1} />;
        const number = ++change;
        return (
          <div key={place} class="difference-change">
            <div class="difference-pair">
              <Lines look="before" mark="−" name={heads[0]} lines={part.before} empty={t.nothing} />
              <Lines look="after" mark="+" name={heads[1]} lines={part.after} empty={t.nothing} />
            </div>
            {sides && onSides && (
              <SideChoice
                label={t.change(number + 1)}
                side={sides[number] ?? 'before'}
                onSide={(side) => onSides(sides.map((other, index) => (index === number ? side : other)))}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

function Same({ lines, isFirst, isLast }: { lines: string[]; isFirst: boolean; isLast: boolean }) {
  const t = useTexts(versions);
  const head = isFirst ? [] : lines.slice(0, CONTEXT);
  const tail = isLast ? [] : lines.slice(Math.max(head.length, lines.length - CONTEXT));
  const hidden = lines.length - head.length - tail.length;
  return (
    <div class="difference-same">
      {head.map((line, place) => (
        <p key={place}>{line}</p>
      ))}
      {hidden > 0 && <p class="difference-hidden">{t.sameLines(hidden)}</p>}
      {tail.map((line, place) => (
        <p key={place}>{line}</p>
      ))}
    </div>
  );
}

interface LinesProps {
  look: 'before' | 'after';
  mark: string;
  name: string;
  lines: string[];
  empty: string;
}

function Lines({ look, mark, name, lines, empty }: LinesProps) {
  return (
    <div class={`difference-lines ${look}`}>
      <span class="visually-hidden">{name}: </span>
      {lines.length === 0 && <p class="faint">{empty}</p>}
      {lines.map((line, place) => (
        <p key={place}>
          <span aria-hidden="true">{mark}</span> {line}
        </p>
      ))}
    </div>
  );
}

function SideChoice({ label, side, onSide }: { label: string; side: Side; onSide: (side: Side) => void }) {
  const t = useTexts(versions);
  const name = useId();
  const choices = [
    ['before', t.mine],
    ['after', t.theirs],
    ['both', t.both],
  ] as const;
  return (
    <div class="row difference-choice" role="radiogroup" aria-label={label}>
      {choices.map(([value, text]) => (
        <label key={value} class="choice">
          <input type="radio" name={name} checked={side === value} onChange={() => onSide(value)} />
          <span>{text}</span>
        </label>
      ))}
    </div>
  );
}
