// The search in the list of guilds, and its order. Both are in the address, so that a link leads to the same list.

import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Button, Select, TextField } from '../../look/controls';
import { FIRST_PAGE, pageParameters, type ListPage } from '../../look/list-page';
import { href } from '../../routes';
import { guilds } from './list-texts';

const ORDERS = ['name', 'newest', 'members'] as const;
type Order = (typeof ORDERS)[number];

export interface WantedGuilds {
  search: string;
  order: Order;
}

export function wantedGuilds(parameters: URLSearchParams): WantedGuilds {
  const order = ORDERS.find((each) => each === parameters.get('sort')) ?? 'name';
  return { search: parameters.get('search')?.trim() ?? '', order };
}

/** The parameters of the API. It sorts the results of a search by name. */
export function queryOf({ search, order }: WantedGuilds): {
  search?: string;
  sort?: Order;
} {
  if (search !== '') return { search };
  return order === 'name' ? {} : { sort: order };
}

export function addressOf(wanted: WantedGuilds, page: ListPage): string {
  const parameters = new URLSearchParams({ ...queryOf(wanted), ...pageParameters(page) });
  const text = parameters.toString();
  return text === '' ? href('guilds') : `${href('guilds')}?${text}`;
}

export function FindGuilds({ wanted }: { wanted: WantedGuilds }) {
  const t = useTexts(guilds);
  const [, navigate] = useLocation();
  const [text, setText] = useState(wanted.search);
  useEffect(() => setText(wanted.search), [wanted.search]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    navigate(addressOf({ ...wanted, search: text.trim() }, FIRST_PAGE));
  };
  return (
    <form class="list-tools" role="search" onSubmit={submit}>
      <TextField
        label={t.search}
        type="search"
        value={text}
        onValue={setText}
        maxLength={30}
        pattern="[A-Za-z0-9]+([ '\-][A-Za-z0-9]+)*[ ]*"
        title={t.searchHint}
        autocomplete="off"
        spellcheck={false}
      />
      <Button type="submit" look="quiet" icon="search">
        {t.searchButton}
      </Button>
      {wanted.search === '' && (
        <Select
          label={t.order}
          value={wanted.order}
          choices={ORDERS.map((order) => [order, t.orders[order]])}
          onValue={(order) => navigate(addressOf({ ...wanted, order }, FIRST_PAGE))}
        />
      )}
    </form>
  );
}
