// The first page of the panel: what needs attention, and what one does most often.

import { useTexts } from '../../../language/language';
import { hasRole, useAccount } from '../../../api/account';
import { Page } from '../../../look/page';
import { AdminAttention } from './attention';
import { EditorPart } from './editor';
import { MerchantPart } from './merchant';
import { overview } from './texts';

export function Section() {
  const t = useTexts(overview);
  const account = useAccount();
  return (
    <Page title={t.title(account?.name ?? '')}>
      {hasRole(account, 'admin') && <AdminAttention />}
      {hasRole(account, 'editor') && <EditorPart />}
      {hasRole(account, 'merchant') && <MerchantPart />}
    </Page>
  );
}
