// The servers and connections at a glance.

import type { ComponentChildren } from 'preact';
import { useTexts } from '../../../language/language';
import { Count, Time } from '../../../look/values';
import type { SiteHealth } from '../../../sdk';
import { Tag } from '../panel/table';
import { health } from './texts';

export function Servers({ data }: { data: SiteHealth }) {
  const t = useTexts(health);
  const { counts } = data;
  return (
    <section class="sheet">
      <h2>{t.servers}</h2>
      <ul class="lines">
        <Server name={t.queue} isWell={data.queue_reachable}>
          {t.longestWait(counts.longest_wait_seconds)}
        </Server>
        <Server name={t.cache} isWell={data.cache_reachable}>
          {data.cache_reachable ? '' : t.cacheText}
        </Server>
        {data.banks.map((bank) => (
          <Server key={bank.provider} name={t.bank(bank.provider)} isWell={bank.reachable}>
            {t.readUpTo} <Time at={bank.read_up_to} />
          </Server>
        ))}
        <Server name={t.mail} isWell={counts.delayed_mails === 0}>
          {t.waitingMails} <Count value={counts.waiting_mails} />
        </Server>
        <Server name={t.gameServers} isWell={counts.present_game_servers > 0}>
          {t.present} <Count value={counts.present_game_servers} />
        </Server>
        <li>
          <strong>{t.version}</strong>
          <span class="faint end">{data.api_version}</span>
        </li>
      </ul>
    </section>
  );
}

function Server({ name, isWell, children }: { name: string; isWell: boolean; children: ComponentChildren }) {
  const t = useTexts(health);
  return (
    <li>
      <strong>{name}</strong>
      <Tag look={isWell ? 'good' : 'warning'}>{isWell ? t.well : t.notWell}</Tag>
      <span class="faint end">{children}</span>
    </li>
  );
}
