// Partitions with their queues, workers, and jobs that fail.

import { useTexts } from '../../../language/language';
import { Count, Time } from '../../../look/values';
import type { FailingJob, PartitionHealth, SiteHealth, WorkerHealth } from '../../../sdk';
import { ShortId } from '../panel/links';
import { Table, Tag, type Column } from '../panel/table';
import { health } from './texts';

export function Partitions({ data }: { data: SiteHealth }) {
  const t = useTexts(health);
  const columns: Column<PartitionHealth>[] = [
    {
      head: t.partition,
      look: 'main',
      cell: (part) => (
        <>
          {part.domain} {part.number} {part.retired && <Tag>{t.retired}</Tag>}
        </>
      ),
    },
    {
      head: t.worker,
      cell: (part) =>
        part.worker_id === undefined ? <Tag look="bad">{t.nobody}</Tag> : <ShortId id={part.worker_id} />,
    },
    {
      head: t.waiting,
      look: 'number',
      cell: (part) => (part.waiting === undefined ? t.unknown : <Count value={part.waiting} />),
    },
    { head: t.wait, look: 'number', cell: (part) => t.seconds(part.wait_seconds) },
    { head: t.age, look: 'number', cell: (part) => t.seconds(part.age_seconds) },
  ];
  const table = (items: PartitionHealth[]) => (
    <Table caption={t.queues} columns={columns} items={items} keyOf={(part) => `${part.domain}.${part.number}`} />
  );
  const behind = data.partitions.filter(isBehind);
  return (
    <section class="sheet">
      <h2>{t.queues}</h2>
      <p class="faint">{t.queuesText}</p>
      {behind.length === 0 ? <p>{t.noneBehind}</p> : table(behind)}
      <details class="details">
        <summary>{t.allPartitions(data.partitions.length)}</summary>
        {table(data.partitions)}
      </details>
    </section>
  );
}

/** Whether its commands wait. */
function isBehind({ worker_id, waiting = 0, wait_seconds, age_seconds }: PartitionHealth): boolean {
  return worker_id === undefined || waiting > 0 || wait_seconds > 0 || age_seconds > 0;
}

export function Workers({ data }: { data: SiteHealth }) {
  const t = useTexts(health);
  const columns: Column<WorkerHealth>[] = [
    { head: t.worker, look: 'main', cell: (worker) => <ShortId id={worker.worker_id} /> },
    { head: t.version, cell: (worker) => worker.version },
    { head: t.started, cell: (worker) => <Time at={worker.started_at} /> },
    { head: t.partitions, look: 'number', cell: (worker) => <Count value={worker.partitions} /> },
  ];
  return (
    <section class="sheet">
      <h2>{t.workers}</h2>
      {data.workers.length === 0 ? (
        <p>{t.noWorkers}</p>
      ) : (
        <Table caption={t.workers} columns={columns} items={data.workers} keyOf={(worker) => worker.worker_id} />
      )}
    </section>
  );
}

export function Jobs({ data }: { data: SiteHealth }) {
  const t = useTexts(health);
  if (data.failing_jobs.length === 0) return null;
  const columns: Column<FailingJob>[] = [
    { head: t.job, look: 'main', cell: (job) => <code>{job.job}</code> },
    { head: t.error, look: 'wide', cell: (job) => job.error },
    { head: t.failed, cell: (job) => <Time at={job.failed_at} /> },
    { head: t.nextAttempt, cell: (job) => <Time at={job.next_attempt_at} /> },
  ];
  return (
    <section class="sheet">
      <h2>{t.jobs}</h2>
      <p class="faint">{t.jobsText}</p>
      <Table
        caption={t.jobs}
        columns={columns}
        items={data.failing_jobs}
        keyOf={(job) => `${job.job} ${job.failed_at} ${job.next_attempt_at}`}
      />
    </section>
  );
}
