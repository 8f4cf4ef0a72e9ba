// What is wrong now, with the page where it can be mended.

import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { href } from '../../../routes';
import type { SiteHealth } from '../../../sdk';
import { withParameters } from '../panel/address';
import { health } from './texts';

/** A command that waits longer than this is worth a look. */
const LONG_SECONDS = 10;

export function Warnings({ data }: { data: SiteHealth }) {
  const t = useTexts(health);
  const { counts } = data;
  const link = (page: string, parameters: Record<string, string>, text: string): ComponentChildren => (
    <Link href={withParameters(href('staffPage', { page }), parameters)}>{text}</Link>
  );
  const parked = { status: 'parked' };
  const warnings: ComponentChildren[] = [
    !data.queue_reachable && t.noQueue,
    !data.cache_reachable && t.noCache,
    counts.workers === 0 && t.noWorkers,
    counts.partitions_without_worker > 0 && t.noWorkerFor(counts.partitions_without_worker),
    counts.longest_wait_seconds > LONG_SECONDS && t.longWait(counts.longest_wait_seconds),
    counts.longest_age_seconds > LONG_SECONDS && t.oldCommand(counts.longest_age_seconds),
    ...data.banks.filter(({ reachable }) => !reachable).map(({ provider }) => t.noBank(provider)),
    counts.delayed_mails > 0 && link('mails', { status: 'waiting' }, t.delayedMails(counts.delayed_mails)),
    counts.dead_letters > 0 && link('dead-letters', {}, t.deadLetters(counts.dead_letters)),
    counts.parked_notifications > 0 &&
      link('notifications', parked, t.parkedNotifications(counts.parked_notifications)),
    counts.parked_deliveries > 0 && link('deliveries', parked, t.parkedDeliveries(counts.parked_deliveries)),
    counts.parked_mails > 0 && link('mails', parked, t.parkedMails(counts.parked_mails)),
    counts.failing_jobs > 0 && t.failingJobs(counts.failing_jobs),
  ].filter((warning) => warning !== false);
  if (warnings.length === 0) return <Notice look="good">{t.allWell}</Notice>;
  return (
    <Notice look="warning">
      <ul class="plain-list">
        {warnings.map((warning, place) => (
          <li key={place}>{warning}</li>
        ))}
      </ul>
    </Notice>
  );
}
