// The code with which a player links the account of the game with the account of the site.

import { useRequest } from '../../api/request';
import { useTexts } from '../../language/language';
import { RequestForm } from '../../look/request';
import { Time } from '../../look/values';
import { accountCreateLinkCode } from '../../sdk';
import type { NewLinkCode } from '../../sdk';
import { CopyButton } from '../account/copy-button';
import { linkCodeTexts } from './link-code-texts';

export function LinkCode() {
  const t = useTexts(linkCodeTexts);
  const request = useRequest<null, NewLinkCode>(() => accountCreateLinkCode());
  const { state } = request;
  return (
    <section class="sheet" id="link-code">
      <h2>{t.title}</h2>
      <RequestForm request={request} body={() => null} button={state.step === 'done' ? t.another : t.create}>
        <p>{t.text}</p>
        {state.step === 'done' && (
          <div class="stack" role="status">
            <p class="row">
              <code class="link-code">{state.data.code}</code> <CopyButton text={state.data.code} />
            </p>
            <p class="faint">
              {t.validUntil} <Time at={state.data.expires_at} />. {t.warning}
            </p>
          </div>
        )}
      </RequestForm>
    </section>
  );
}
