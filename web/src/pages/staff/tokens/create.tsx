// Creates a service token. Its secret is in the response alone, so it is shown once and never repeated.

import { useEffect, useState } from 'preact/hooks';
import { queries } from '../../../api/queries';
import { useRequest } from '../../../api/request';
import { useTexts } from '../../../language/language';
import { Button, Dialog, Notice, TextField } from '../../../look/controls';
import { RequestForm } from '../../../look/request';
import { adminCreateServiceToken, type NewServiceToken, type ServiceTokenToCreate } from '../../../sdk';
import { report } from '../panel/report';
import { panel } from '../panel/texts';
import { SecretField } from './secret';
import { tokens } from './texts';

interface CreateTokenProps {
  isOpen: boolean;
  onClose: () => void;
}

export function CreateToken({ isOpen, onClose }: CreateTokenProps) {
  const t = useTexts(tokens);
  const p = useTexts(panel);
  const [name, setName] = useState('');
  const request = useRequest<ServiceTokenToCreate, NewServiceToken>(
    (body) => adminCreateServiceToken({ body }),
    () => void queries.invalidateQueries(),
  );
  const { state } = request;
  const isWithoutResponse = state.step === 'failed' && state.problem === undefined;
  const close = (): void => {
    onClose();
    request.reset();
    setName('');
  };
  useEffect(() => {
    if (!isOpen || state.step !== 'done') return undefined;
    // The secret is lost when the page is left.
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isOpen, state.step]);
  return (
    <Dialog
      title={state.step === 'done' ? t.createdTitle(state.data.name) : t.create}
      isOpen={isOpen}
      isKept={state.step === 'done'}
      onClose={close}
    >
      {state.step === 'done' ? (
        <div class="stack">
          <Notice look="warning">{t.shownOnce}</Notice>
          <SecretField label={t.token} secret={state.data.token} />
          <p class="faint">{t.useIt}</p>
          <div>
            <Button
              onClick={() => {
                close();
                report(t.created(state.data.name), { action: 'service_token.create' });
              }}
            >
              {t.kept}
            </Button>
          </div>
        </div>
      ) : (
        <RequestForm
          request={request}
          body={() => (name.trim() === '' ? undefined : { name: name.trim() })}
          button={t.create}
          after={
            <Button look="quiet" onClick={close}>
              {p.cancel}
            </Button>
          }
        >
          <p>{t.createText}</p>
          {isWithoutResponse && <Notice look="warning">{t.lost}</Notice>}
          <TextField label={t.name} hint={t.nameHint} required maxLength={60} value={name} onValue={setName} />
        </RequestForm>
      )}
    </Dialog>
  );
}
