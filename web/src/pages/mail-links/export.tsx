// The copy of an account's data, opened by the link of a mail.

import { Link } from 'wouter-preact';
import { useRequest } from '../../api/request';
import { useTexts } from '../../language/language';
import { Page } from '../../look/page';
import { RequestForm } from '../../look/request';
import { href } from '../../routes';
import { accountOpenExport } from '../../sdk';
import type { AccountExport } from '../../sdk';
import { ExportedData } from './exported-data';
import { MissingToken } from './missing-token';
import { mailLinks } from './texts';
import { useMailToken } from './token';

/** Not at once: after the first use the link is valid for ten minutes only. */
export function ExportPage() {
  const t = useTexts(mailLinks);
  const token = useMailToken();
  const request = useRequest<string, AccountExport>((secret) => accountOpenExport({ body: { token: secret } }));
  const another = (
    <Link class="button quiet" href={href('accountPage', { page: 'data' })}>
      {t.newExport}
    </Link>
  );
  if (token === undefined) {
    return (
      <Page title={t.exportTitle}>
        <MissingToken>{another}</MissingToken>
      </Page>
    );
  }
  return (
    <Page title={t.exportTitle}>
      {request.state.step === 'done' ? (
        <ExportedData data={request.state.data} />
      ) : (
        <section class="sheet">
          <p>{t.exportText}</p>
          <RequestForm
            request={request}
            body={() => token}
            button={t.openExport}
            after={request.state.step === 'failed' && request.state.problem?.status === 404 && another}
          />
        </section>
      )}
    </Page>
  );
}
