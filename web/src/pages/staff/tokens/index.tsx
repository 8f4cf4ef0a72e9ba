// The service tokens of game servers.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { Button } from '../../../look/controls';
import { Page } from '../../../look/page';
import { Time } from '../../../look/values';
import {
  adminAllowImport,
  adminRevokeServiceToken,
  type ServiceToken,
  type ServiceTokenOfImport,
  type ServiceTokenToRevoke,
} from '../../../sdk';
import { adminServiceTokensOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { Action } from '../panel/action';
import { useListAddress } from '../panel/address';
import { Paged } from '../panel/paged';
import { Table, Tag, type Column } from '../panel/table';
import { panel } from '../panel/texts';
import { CreateToken } from './create';
import { tokens } from './texts';

export function Section() {
  const t = useTexts(tokens);
  const address = useListAddress();
  const [isOpen, setIsOpen] = useState(false);
  const list = useQuery({
    ...adminServiceTokensOptions({ query: address.paging }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const create = <Button onClick={() => setIsOpen(true)}>{t.create}</Button>;
  return (
    <Page title={t.title} aside={create}>
      <p class="faint">{t.intro}</p>
      <CreateToken isOpen={isOpen} onClose={() => setIsOpen(false)} />
      <Paged query={list} address={address} empty={<p>{t.none}</p>}>
        {(items) => (
          <Table caption={t.title} columns={columns} items={items} keyOf={(token) => token.service_token_id} />
        )}
      </Paged>
    </Page>
  );
}

function useColumns(): Column<ServiceToken>[] {
  const t = useTexts(tokens);
  const p = useTexts(panel);
  return [
    { head: t.name, look: 'main', cell: (token) => token.name },
    { head: p.number, cell: (token) => `#${token.service_token_id}` },
    { head: p.created, cell: (token) => <Time at={token.created_at} /> },
    {
      head: p.state,
      cell: (token) =>
        token.revoked_at === undefined ? (
          <>
            <Tag look="good">{t.valid}</Tag>
            {token.imports_until !== undefined && (
              <p>
                {t.importsUntil} <Time at={token.imports_until} />
              </p>
            )}
          </>
        ) : (
          <>
            <Tag>{t.revoked}</Tag> <Time at={token.revoked_at} />
          </>
        ),
    },
    { head: p.actions, look: 'actions', cell: (token) => token.revoked_at === undefined && <Actions token={token} /> },
  ];
}

function Actions({ token }: { token: ServiceToken }) {
  return (
    <>
      <AllowImport token={token} />
      <Revoke token={token} />
    </>
  );
}

function AllowImport({ token }: { token: ServiceToken }) {
  const t = useTexts(tokens);
  const id = token.service_token_id;
  return (
    <Action<ServiceTokenOfImport>
      name={`adminAllowImport ${id}`}
      send={(body, headers) => adminAllowImport({ body, headers })}
      label={t.allowImport}
      labelOf={token.name}
      title={t.allowImportTitle(token.name)}
      text={t.allowImportText}
      confirm={t.allowImport}
      body={() => ({ service_token_id: id })}
      done={() => t.allowImportDone(token.name)}
      audit={{ action: 'service_token.allow_import' }}
    />
  );
}

function Revoke({ token }: { token: ServiceToken }) {
  const t = useTexts(tokens);
  const id = token.service_token_id;
  return (
    <Action<ServiceTokenToRevoke>
      name={`token.revoke/${id}`}
      send={(body, headers) => adminRevokeServiceToken({ body, headers })}
      label={t.revoke}
      labelOf={token.name}
      look="danger"
      title={t.revokeTitle(token.name)}
      text={t.revokeText}
      confirm={t.revoke}
      body={() => ({ service_token_id: id })}
      done={() => t.revokeDone(token.name)}
      audit={{ action: 'service_token.revoke' }}
    />
  );
}
