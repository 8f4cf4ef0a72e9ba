// The state of the site: its servers, workers, queues, and the last hour.

import { useQuery } from '@tanstack/preact-query';
import { useTexts } from '../../../language/language';
import { Page } from '../../../look/page';
import { Loaded } from '../../../look/query';
import { Time } from '../../../look/values';
import type { SiteHealth } from '../../../sdk';
import { adminHealthOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { Charts } from './charts';
import { Jobs, Partitions, Workers } from './parts';
import { Servers } from './servers';
import { health } from './texts';
import { Warnings } from './warnings';

const REFRESH_MS = 15_000;

export function Section() {
  const t = useTexts(health);
  const state = useQuery({ ...adminHealthOptions(), refetchInterval: REFRESH_MS });
  const checked = state.data && (
    <p class="faint">
      {t.checked} <Time at={state.data.checked_at} />
    </p>
  );
  return (
    <Page title={t.title} below={checked}>
      <Loaded query={state}>{(data) => <State data={data} />}</Loaded>
    </Page>
  );
}

function State({ data }: { data: SiteHealth }) {
  return (
    <>
      <Warnings data={data} />
      <Servers data={data} />
      <Charts history={data.history} />
      <Partitions data={data} />
      <Workers data={data} />
      <Jobs data={data} />
    </>
  );
}
