// The packages on sale in their order, the retired ones, and the rates.

import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Page } from '../../../look/page';
import { Loaded } from '../../../look/query';
import { Coins, Money, Time } from '../../../look/values';
import { href } from '../../../routes';
import type { AdminCoinPackage } from '../../../sdk';
import { Table, Tag, type Column } from '../panel/table';
import { panel } from '../panel/texts';
import { packagesOptions } from './all';
import { Rates } from './rates';
import { RetirePackage } from './retire';
import { packages } from './texts';

export function PriceList() {
  const t = useTexts(packages);
  const list = useQuery(packagesOptions());
  const create = (
    <Link class="button" href={href('staffItem', { page: 'packages', id: 'new' })}>
      {t.create}
    </Link>
  );
  return (
    <Page title={t.title} aside={create}>
      <p class="faint">{t.intro}</p>
      <Loaded query={list}>{(all) => <Packages all={all} />}</Loaded>
      <Rates />
    </Page>
  );
}

function Packages({ all }: { all: AdminCoinPackage[] }) {
  const t = useTexts(packages);
  const onSale = all
    .filter(({ retired_at }) => retired_at === undefined)
    .sort((a, b) => a.price.currency.localeCompare(b.price.currency) || a.position - b.position || a.coins - b.coins);
  const retired = all.filter(({ retired_at }) => retired_at !== undefined);
  return (
    <>
      <section class="sheet">
        <h2>{t.onSale}</h2>
        {onSale.length === 0 ? <p class="faint">{t.none}</p> : <PackageTable items={onSale} caption={t.onSale} />}
      </section>
      {retired.length > 0 && (
        <section class="sheet">
          <h2>{t.retired}</h2>
          <PackageTable items={retired} caption={t.retired} />
        </section>
      )}
    </>
  );
}

function PackageTable({ items, caption }: { items: AdminCoinPackage[]; caption: string }) {
  const t = useTexts(packages);
  const p = useTexts(panel);
  const columns: Column<AdminCoinPackage>[] = [
    {
      head: t.name,
      look: 'main',
      cell: (item) =>
        item.retired_at === undefined ? (
          <Link href={href('staffItem', { page: 'packages', id: item.package_id })}>{item.name}</Link>
        ) : (
          item.name
        ),
    },
    { head: t.price, look: 'number', cell: (item) => <Money value={item.price} /> },
    { head: t.coins, look: 'number', cell: (item) => <Coins count={item.coins} /> },
    { head: t.position, look: 'number', cell: (item) => item.position },
    {
      head: p.state,
      cell: (item) =>
        item.retired_at === undefined ? (
          <Tag look="good">{t.isOnSale}</Tag>
        ) : (
          <>
            <Tag>{t.isRetired}</Tag> <Time at={item.retired_at} date />
          </>
        ),
    },
    {
      head: p.actions,
      look: 'actions',
      cell: (item) => item.retired_at === undefined && <RetirePackage item={item} />,
    },
  ];
  return <Table caption={caption} columns={columns} items={items} keyOf={(item) => item.package_id} />;
}
