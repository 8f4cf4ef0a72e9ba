// A list whose order somebody can change: by dragging, or by buttons. The order is saved when they say so.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Command } from '../../../api/command';
import { useTexts } from '../../../language/language';
import { CommandNotice } from '../../../look/command';
import { Button } from '../../../look/controls';
import { panel } from '../panel/texts';
import { useReloadOfChanges } from '../versions/reload';
import { moved } from './move';
import { order as texts } from './texts';

interface SortableProps<Item, Body, Result> {
  label: string;
  items: readonly Item[];
  idOf: (item: Item) => number;
  nameOf: (item: Item) => string;
  command: Command<Body, Result>;
  body: (ids: number[]) => Body;
  children: (item: Item) => ComponentChildren;
}

export function Sortable<Item, Body, Result>(props: SortableProps<Item, Body, Result>) {
  const { label, items, idOf, nameOf, command, body, children } = props;
  const t = useTexts(texts);
  const p = useTexts(panel);
  const stored = items.map(idOf);
  const [ids, setIds] = useState(stored);
  const [announcement, setAnnouncement] = useState('');
  const dragged = useRef<number>();
  const list = useRef<HTMLOListElement>(null);
  const focusOn = useRef<string>();
  const key = stored.join();
  useEffect(() => setIds(stored), [key]);
  useReloadOfChanges(command);
  useEffect(() => {
    // A browser drops the focus of an element that moves.
    if (focusOn.current !== undefined)
      list.current?.querySelector<HTMLElement>(`[data-move="${focusOn.current}"]`)?.focus();
    focusOn.current = undefined;
  }, [ids]);
  const byId = new Map(items.map((item) => [idOf(item), item]));
  const isChanged = ids.join() !== key;
  const move = (from: number, to: number): void => {
    const next = moved(ids, from, to);
    const item = byId.get(ids[from] ?? 0);
    setIds(next);
    if (item) setAnnouncement(t.movedTo(nameOf(item), to + 1, ids.length));
  };
  return (
    <div class="stack">
      <ol class="sortable" aria-label={label} ref={list}>
        {ids.map((id, place) => {
          const item = byId.get(id);
          if (item === undefined) return null;
          const button = (look: 'up' | 'down', to: number) => (
            <button
              type="button"
              class="button quiet small"
              data-move={`${id}-${look}`}
              aria-label={look === 'up' ? t.up(nameOf(item)) : t.down(nameOf(item))}
              aria-disabled={to < 0 || to >= ids.length}
              onClick={() => {
                if (to < 0 || to >= ids.length) return;
                focusOn.current = `${id}-${look}`;
                move(place, to);
              }}
            >
              <span aria-hidden="true">{look === 'up' ? '↑' : '↓'}</span>
            </button>
          );
          return (
            <li
              key={id}
              draggable
              onDragStart={(event) => {
                dragged.current = place;
                event.dataTransfer?.setData('text/plain', nameOf(item));
              }}
              onDragOver={(event) => {
                if (dragged.current === undefined) return;
                event.preventDefault();
                if (dragged.current !== place) {
                  move(dragged.current, place);
                  dragged.current = place;
                }
              }}
              onDrop={(event) => event.preventDefault()}
              onDragEnd={() => (dragged.current = undefined)}
            >
              <span class="sortable-handle" aria-hidden="true">
                ⠿
              </span>
              <div class="sortable-content">{children(item)}</div>
              <span class="sortable-buttons">
                {button('up', place - 1)}
                {button('down', place + 1)}
              </span>
            </li>
          );
        })}
      </ol>
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
      <CommandNotice command={command} />
      {isChanged && (
        <div class="row">
          <Button icon="check" isBusy={command.isBusy} onClick={() => command.send(body(ids))}>
            {t.save}
          </Button>
          <Button look="quiet" onClick={() => setIds(stored)}>
            {p.discardChanges}
          </Button>
          <span class="faint">{t.notSaved}</span>
        </div>
      )}
    </div>
  );
}
