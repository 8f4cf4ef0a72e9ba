// The last hour in pictures, and as a table for readers who prefer numbers.

import { useTexts } from '../../../language/language';
import { Count, Time } from '../../../look/values';
import type { HealthSample } from '../../../sdk';
import { Table, type Column } from '../panel/table';
import { LineChart } from './line-chart';
import { health } from './texts';

type Measure =
  'waiting_commands' | 'completed_commands' | 'longest_wait_seconds' | 'parked' | 'failing_jobs' | 'workers';

const MEASURES: readonly Measure[] = [
  'waiting_commands',
  'completed_commands',
  'longest_wait_seconds',
  'parked',
  'failing_jobs',
  'workers',
];

/** The value of a sample. Undefined: it was not measured. */
function valueOf(sample: HealthSample, measure: Measure): number | undefined {
  if (measure !== 'parked') return sample[measure];
  const { dead_letters, parked_notifications, parked_deliveries, parked_mails } = sample;
  return dead_letters + parked_notifications + parked_deliveries + parked_mails;
}

export function Charts({ history }: { history: HealthSample[] }) {
  const t = useTexts(health);
  const columns: Column<HealthSample>[] = [
    { head: t.time, look: 'main', cell: (sample) => <Time at={sample.sampled_at} /> },
    ...MEASURES.map((measure) => ({
      head: t.measures[measure],
      look: 'number' as const,
      cell: (sample: HealthSample) => {
        const value = valueOf(sample, measure);
        return value === undefined ? t.unknown : <Count value={value} />;
      },
    })),
  ];
  return (
    <section class="sheet">
      <h2>{t.lastHour}</h2>
      {history.length < 2 ? (
        <p class="faint">{t.noHistory}</p>
      ) : (
        <>
          <div class="charts">
            {MEASURES.map((measure) => (
              <LineChart
                key={measure}
                title={t.measures[measure]}
                points={history.map((sample) => ({ at: sample.sampled_at, value: valueOf(sample, measure) }))}
              />
            ))}
          </div>
          <details class="details">
            <summary>{t.asTable}</summary>
            <Table
              caption={t.lastHour}
              columns={columns}
              items={[...history].reverse()}
              keyOf={(sample) => sample.sampled_at}
            />
          </details>
        </>
      )}
    </section>
  );
}
