// A summary of exported data, and the file.

import { useTexts } from '../../language/language';
import { useFile } from '../../look/file';
import { Count, Time } from '../../look/values';
import type { AccountExport } from '../../sdk';
import { exportTexts } from './export-texts';

export function ExportedData({ data }: { data: AccountExport }) {
  const t = useTexts(exportTexts);
  const address = useFile(data.document, 'application/json');
  const parts = partsOf(data.document);
  const name = `account-${data.account_id}-${data.created_at.slice(0, 10)}.json`;
  return (
    <div class="columns">
      <section class="sheet">
        <h2>{t.summary}</h2>
        <div class="table-frame">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{t.part}</th>
                <th scope="col" class="number">
                  {t.entries}
                </th>
              </tr>
            </thead>
            <tbody>
              {parts.map(([part, count]) => (
                <tr key={part}>
                  <th scope="row">{t.parts[part] ?? part}</th>
                  <td class="number">
                    <Count value={count} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <details class="document">
          <summary>{t.showAll}</summary>
          <pre tabIndex={0}>{data.document}</pre>
        </details>
      </section>
      <aside class="sheet">
        <h2>{t.file}</h2>
        <p>
          {t.madeAt} <Time at={data.created_at} />
        </p>
        <p>{t.fileText}</p>
        {address !== undefined && (
          <a class="button" href={address} download={name}>
            {t.download}
          </a>
        )}
        <p class="faint">{t.keepSafe}</p>
      </aside>
    </div>
  );
}

/** The lists of the document with the numbers of their entries. A newer server may have more of them. */
function partsOf(text: string): [string, number][] {
  const document = JSON.parse(text) as Record<string, unknown>;
  return Object.entries(document).flatMap(([part, value]) => (Array.isArray(value) ? [[part, value.length]] : []));
}
