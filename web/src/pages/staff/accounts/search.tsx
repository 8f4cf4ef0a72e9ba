// Finds accounts.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Button, Select, TextField } from '../../../look/controls';
import { Page } from '../../../look/page';
import { Empty, Loaded } from '../../../look/query';
import { Time } from '../../../look/values';
import { href } from '../../../routes';
import type { AccountSummary } from '../../../sdk';
import { adminAccountsOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { idOf, useListAddress } from '../panel/address';
import { AccountLink } from '../panel/links';
import { Table, Tag, type Column } from '../panel/table';
import { panel } from '../panel/texts';
import { accounts } from './texts';

const KEYS = ['name', 'email', 'character', 'payment_id', 'operation_id'] as const;
type Key = (typeof KEYS)[number] | 'number';

export function AccountSearch() {
  const t = useTexts(accounts);
  const address = useListAddress();
  const key = KEYS.find((name) => address.filter(name) !== undefined);
  const text = key === undefined ? '' : (address.filter(key) ?? '');
  const found = useQuery({
    ...adminAccountsOptions({ query: key === undefined ? {} : { [key]: text } }),
    enabled: key !== undefined,
    placeholderData: keepPreviousData,
  });
  const search = (by: (typeof KEYS)[number], value: string): void =>
    address.change({ ...Object.fromEntries(KEYS.map((name) => [name, undefined])), [by]: value });
  return (
    <Page title={t.title}>
      <SearchForm first={key ?? 'name'} text={text} onSearch={search} />
      {key === undefined ? (
        <Empty>
          <p>{t.invitation}</p>
        </Empty>
      ) : (
        <Loaded query={found}>{(data) => <Found accounts={data.accounts} />}</Loaded>
      )}
    </Page>
  );
}

interface SearchFormProps {
  first: Key;
  text: string;
  onSearch: (by: (typeof KEYS)[number], text: string) => void;
}

function SearchForm({ first, text, onSearch }: SearchFormProps) {
  const t = useTexts(accounts);
  const [, navigate] = useLocation();
  const [by, setBy] = useState<Key>(first);
  const [value, setValue] = useState(text);
  useEffect(() => {
    setBy(first);
    setValue(text);
  }, [first, text]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const wanted = value.trim();
    if (by === 'number') navigate(href('staffItem', { page: 'accounts', id: wanted.replace('#', '') }));
    else if (wanted !== '') onSearch(by, wanted);
  };
  const isValid = by !== 'number' || idOf(value.trim().replace('#', '')) !== undefined || value === '';
  return (
    <form class="filters" role="search" onSubmit={submit}>
      <Select
        label={t.searchBy}
        value={by}
        choices={([...KEYS, 'number'] as const).map((name) => [name, t.keys[name]] as const)}
        onValue={setBy}
      />
      <TextField
        label={t.keys[by]}
        hint={t.hints[by]}
        error={isValid ? undefined : t.noNumber}
        type="search"
        required
        value={value}
        onValue={setValue}
      />
      <Button type="submit" icon="search">
        {t.search}
      </Button>
    </form>
  );
}

function Found({ accounts: found }: { accounts: AccountSummary[] }) {
  const t = useTexts(accounts);
  const p = useTexts(panel);
  if (found.length === 0) {
    return (
      <Empty>
        <p>{t.none}</p>
      </Empty>
    );
  }
  const columns: Column<AccountSummary>[] = [
    { head: t.name, look: 'main', cell: (account) => <AccountLink id={account.account_id} name={account.name} /> },
    { head: p.number, cell: (account) => `#${account.account_id}` },
    { head: t.email, cell: (account) => account.email },
    {
      head: p.state,
      cell: (account) => (
        <>
          {account.suspended && <Tag look="bad">{t.suspended}</Tag>}{' '}
          {!account.email_verified && <Tag look="warning">{t.notVerified}</Tag>}
        </>
      ),
    },
    { head: p.created, cell: (account) => <Time at={account.created_at} date /> },
  ];
  return (
    <>
      {found.length === 100 && <p class="faint">{t.first100}</p>}
      <Table caption={t.title} columns={columns} items={found} keyOf={(account) => account.account_id} />
    </>
  );
}
