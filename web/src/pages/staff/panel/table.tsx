// A table of records. On a narrow screen each record is a card, with the head of its column beside each value.

import type { ComponentChildren } from 'preact';

export interface Column<Item> {
  head: string;
  cell: (item: Item) => ComponentChildren;
  look?: 'number' | 'main' | 'actions' | 'wide';
}

interface TableProps<Item> {
  /** What the table lists, for screen readers. */
  caption: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
}

/** The roles are written out: browsers drop those of tables that a style sheet lays out in another way. */
export function Table<Item>({ caption, columns, items, keyOf }: TableProps<Item>) {
  return (
    <div class="records-frame">
      <table class="table records" role="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head, look = '' }) => (
              <th key={head} role="columnheader" scope="col" class={look}>
                {look === 'actions' ? <span class="visually-hidden">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map((item) => (
            <tr key={keyOf(item)} role="row">
              {columns.map(({ head, cell, look = '' }) => (
                <td key={head} role="cell" class={look} data-head={head}>
                  <div>{cell(item)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The state of a record. The word says it, the colour helps to find it. */
export function Tag({ look = 'plain', children }: { look?: TagLook; children: ComponentChildren }) {
  return <span class={`tag ${look}`}>{children}</span>;
}

export type TagLook = 'plain' | 'good' | 'warning' | 'bad';
