// What a buyer gets in the game: rows of kind, id and count.

import { useEffect, useRef } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { Button, Select, TextField } from '../../../look/controls';
import { offers } from './texts';
import { GRANT_KINDS, NEW_GRANT, type GrantValues } from './values';

const MOST_GRANTS = 10;

interface GrantsProps {
  grants: GrantValues[];
  error: string | undefined;
  onGrants: (grants: GrantValues[]) => void;
}

export function Grants({ grants, error, onGrants }: GrantsProps) {
  const t = useTexts(offers);
  const list = useRef<HTMLFieldSetElement>(null);
  const before = useRef(grants.length);
  useEffect(() => {
    // The focus goes to a new row, or to the last row if one was removed.
    if (before.current !== grants.length) list.current?.querySelector<HTMLElement>('li:last-child select')?.focus();
    before.current = grants.length;
  }, [grants.length]);
  const change = (place: number, changed: Partial<GrantValues>): void =>
    onGrants(grants.map((grant, index) => (index === place ? { ...grant, ...changed } : grant)));
  return (
    <fieldset class="conflict-field" ref={list}>
      <legend>{t.grants}</legend>
      <p class="faint">{t.grantsHint}</p>
      {error !== undefined && <p class="error">{error}</p>}
      <ul class="stack plain-list">
        {grants.map((grant, place) => (
          <li key={place} class="grant">
            <Select
              label={t.kind}
              value={grant.kind}
              choices={GRANT_KINDS.map((kind) => [kind, t.kinds[kind]] as const)}
              onValue={(kind) => change(place, { kind })}
            />
            <TextField
              label={t.grantId}
              required
              maxLength={60}
              value={grant.id}
              onValue={(id) => change(place, { id })}
            />
            <TextField
              label={grant.kind === 'premium_days' ? t.days : t.count}
              type="number"
              min="1"
              max="1000000"
              required
              value={grant.count}
              onValue={(count) => change(place, { count })}
            />
            {grants.length > 1 && (
              <Button
                look="quiet"
                icon="trash"
                aria-label={t.removeGrant(place + 1)}
                onClick={() => onGrants(grants.filter((_, index) => index !== place))}
              />
            )}
          </li>
        ))}
      </ul>
      {grants.length < MOST_GRANTS && (
        <div>
          <Button look="quiet" small onClick={() => onGrants([...grants, NEW_GRANT])}>
            {t.addGrant}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
