// Messages that could not be processed.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useTexts } from '../../../language/language';
import { Page } from '../../../look/page';
import { Time } from '../../../look/values';
import { adminDiscardDeadLetter, adminReplayDeadLetter, type DeadLetter, type SelectedDeadLetter } from '../../../sdk';
import { adminDeadLettersOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { Action } from '../panel/action';
import { useListAddress } from '../panel/address';
import { Paged } from '../panel/paged';
import { Table, Tag, type Column } from '../panel/table';
import { panel } from '../panel/texts';
import { deadLetters } from './texts';

export function Section() {
  const t = useTexts(deadLetters);
  const address = useListAddress();
  const list = useQuery({
    ...adminDeadLettersOptions({ query: address.paging }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  return (
    <Page title={t.title}>
      <p class="faint">{t.intro}</p>
      <Paged query={list} address={address} empty={<p>{t.none}</p>}>
        {(items) => <Table caption={t.title} columns={columns} items={items} keyOf={(item) => item.dead_letter_id} />}
      </Paged>
    </Page>
  );
}

function useColumns(): Column<DeadLetter>[] {
  const t = useTexts(deadLetters);
  const p = useTexts(panel);
  return [
    { head: p.number, look: 'main', cell: (item) => `#${item.dead_letter_id}` },
    {
      head: t.message,
      cell: (item) => (
        <>
          <code>{item.command ?? t.noCommand}</code>
          <p class="faint">{item.queue}</p>
        </>
      ),
    },
    {
      head: p.reason,
      look: 'wide',
      cell: (item) => (
        <>
          <p>{item.reason}</p>
          {!item.replayable && <Tag look="warning">{t.tooOld}</Tag>}
          {item.message !== undefined && (
            <details class="details">
              <summary>{t.showMessage}</summary>
              <pre class="code-block">{item.message}</pre>
            </details>
          )}
        </>
      ),
    },
    { head: t.died, cell: (item) => <Time at={item.died_at} /> },
    { head: p.actions, look: 'actions', cell: (item) => <Actions item={item} /> },
  ];
}

function Actions({ item }: { item: DeadLetter }) {
  const t = useTexts(deadLetters);
  const id = item.dead_letter_id;
  const common = { labelOf: `#${id}`, body: (): SelectedDeadLetter => ({ dead_letter_id: id }) };
  return (
    <>
      {item.replayable && (
        <Action<SelectedDeadLetter>
          {...common}
          name={`dead-letter.replay/${id}`}
          send={(body, headers) => adminReplayDeadLetter({ body, headers })}
          label={t.replay}
          title={t.replayTitle(id)}
          text={t.replayText}
          confirm={t.replay}
          done={() => t.replayed(id)}
          audit={{ action: 'dead_letter.replay' }}
        />
      )}
      <Action<SelectedDeadLetter>
        {...common}
        name={`dead-letter.discard/${id}`}
        send={(body, headers) => adminDiscardDeadLetter({ body, headers })}
        label={t.discard}
        look="danger"
        title={t.discardTitle(id)}
        text={t.discardText}
        confirm={t.discard}
        done={() => t.discarded(id)}
        audit={{ action: 'dead_letter.discard' }}
      />
    </>
  );
}
