// Two versions of one record side by side: the reader's and the one that somebody else saved meanwhile.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { Button, Notice } from '../../../look/controls';
import { Difference } from './difference-view';
import { difference, firstSide, joined, type Change, type Side } from './difference';
import { equal, type Draft } from './draft';
import { versions } from './texts';

/** A field of the record. Texts with `isText` are compared by lines. */
export interface ConflictField<Values> {
  name: keyof Values;
  label: string;
  isText?: boolean;
  show: (values: Values) => ComponentChildren;
}

interface ConflictProps<Values extends object> {
  draft: Draft<Values>;
  /** The version that is stored now. */
  theirs: { values: Values; version: number };
  fields: readonly ConflictField<Values>[];
  /** Continues with the chosen values, on the stored version. */
  onMerged: (draft: Draft<Values>) => void;
}

type Choices = Record<string, Side[]>;

export function Conflict<Values extends object>({ draft, theirs, fields, onMerged }: ConflictProps<Values>) {
  const t = useTexts(versions);
  const [choices, setChoices] = useState<Choices>({});
  const changed = fields.filter(({ name }) => !equal(draft.values[name], theirs.values[name]));
  const sidesOf = (field: ConflictField<Values>): Side[] =>
    choices[String(field.name)] ?? firstChoice(draft, theirs, field);
  const choose = (field: ConflictField<Values>, sides: Side[]): void =>
    setChoices({ ...choices, [String(field.name)]: sides });
  const all = (side: Side): void =>
    setChoices(Object.fromEntries(changed.map((field) => [String(field.name), [side]])));
  const merge = (): void => {
    const values = { ...draft.values };
    for (const field of changed) {
      const sides = sidesOf(field);
      if (field.isText) {
        const parts = partsOf(draft, theirs, field);
        values[field.name] = joined(
          parts,
          sides.length === 1 ? parts.map(() => sides[0] ?? 'before') : sides,
        ) as Values[keyof Values];
      } else if (sides[0] === 'after') values[field.name] = theirs.values[field.name];
    }
    onMerged({ values, version: theirs.version, base: theirs.values });
  };
  return (
    <section class="sheet conflict" aria-labelledby="conflict-title">
      <h2 id="conflict-title">{t.title}</h2>
      <Notice look="warning">{changed.length === 0 ? t.sameText : t.text}</Notice>
      {changed.length > 1 && (
        <div class="row">
          <Button look="quiet" small onClick={() => all('before')}>
            {t.allMine}
          </Button>
          <Button look="quiet" small onClick={() => all('after')}>
            {t.allTheirs}
          </Button>
        </div>
      )}
      {changed.map((field) => (
        <fieldset key={String(field.name)} class="conflict-field">
          <legend>{field.label}</legend>
          {field.isText ? (
            <Difference
              parts={partsOf(draft, theirs, field)}
              heads={[t.mine, t.theirs]}
              sides={spread(sidesOf(field), changesOf(draft, theirs, field).length)}
              onSides={(sides) => choose(field, sides)}
            />
          ) : (
            <Sides
              name={String(field.name)}
              mine={field.show(draft.values)}
              theirs={field.show(theirs.values)}
              side={sidesOf(field)[0] ?? 'before'}
              onSide={(side) => choose(field, [side])}
            />
          )}
        </fieldset>
      ))}
      <div class="row">
        <Button icon="check" onClick={merge}>
          {t.merge}
        </Button>
        <p class="faint">{t.mergeHint}</p>
      </div>
    </section>
  );
}

/** What only the other person changed is theirs at first; otherwise the reader's stays. */
function firstChoice<Values>(draft: Draft<Values>, theirs: { values: Values }, field: ConflictField<Values>): Side[] {
  const base = draft.base[field.name];
  if (!field.isText) return [equal(draft.values[field.name], base) ? 'after' : 'before'];
  return changesOf(draft, theirs, field).map((part) => firstSide(part, String(base)));
}

function partsOf<Values>(draft: Draft<Values>, theirs: { values: Values }, { name }: ConflictField<Values>) {
  return difference(String(draft.values[name]), String(theirs.values[name]));
}

function changesOf<Values>(draft: Draft<Values>, theirs: { values: Values }, field: ConflictField<Values>): Change[] {
  return partsOf(draft, theirs, field).filter((part) => 'before' in part);
}

function spread(sides: Side[], count: number): Side[] {
  return Array.from({ length: count }, (_, place) => sides[place] ?? sides[0] ?? 'before');
}

interface SidesProps {
  name: string;
  mine: ComponentChildren;
  theirs: ComponentChildren;
  side: Side;
  onSide: (side: Side) => void;
}

function Sides({ name, mine, theirs, side, onSide }: SidesProps) {
  const t = useTexts(versions);
  const choices = [
    ['before', t.mine, mine],
    ['after', t.theirs, theirs],
  ] as const;
  return (
    <div class="conflict-sides">
      {choices.map(([value, label, content]) => (
        <label key={value} class="choice">
          <input type="radio" name={`conflict-${name}`} checked={side === value} onChange={() => onSide(value)} />
          <span>
            <span class="faint">{label}</span>
            <span class="conflict-value">{content}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
