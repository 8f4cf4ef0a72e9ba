// The roles of an account in the staff.

import { useTexts } from '../../../language/language';
import {
  adminGrantRole,
  adminRevokeRole,
  type AccountDetails,
  type RoleChange,
  type RoleGranted,
  type StaffRole,
} from '../../../sdk';
import { Action } from '../panel/action';
import { Tag } from '../panel/table';
import { accounts } from './texts';

const ROLES: readonly StaffRole[] = ['editor', 'merchant', 'admin'];

export function Roles({ account }: { account: AccountDetails }) {
  const t = useTexts(accounts);
  return (
    <section class="sheet">
      <h2>{t.roles}</h2>
      <ul class="stack plain-list">
        {ROLES.map((role) => (
          <li key={role} class="role">
            <div class="row spread">
              <strong>{t.roleNames[role]}</strong>
              {account.roles.includes(role) ? (
                <span class="row">
                  <Tag look="good">{t.hasRole}</Tag>
                  <Revoke account={account} role={role} />
                </span>
              ) : (
                <Grant account={account} role={role} />
              )}
            </div>
            <p class="faint">{t.roleMeanings[role]}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Grant({ account, role }: { account: AccountDetails; role: StaffRole }) {
  const t = useTexts(accounts);
  const id = account.account_id;
  return (
    <Action<RoleChange, RoleGranted>
      name={`role.grant/${id}/${role}`}
      send={(body, headers) => adminGrantRole({ body, headers })}
      label={t.grant}
      labelOf={t.roleNames[role]}
      title={t.grantTitle(t.roleNames[role], account.name)}
      text={
        <>
          <p>{t.roleMeanings[role]}</p>
          <p>{t.grantText}</p>
          {role === 'admin' && <p>{t.grantAdminText}</p>}
        </>
      }
      confirm={t.grantConfirm}
      look={role === 'admin' ? 'danger' : 'quiet'}
      body={() => ({ account_id: id, role })}
      done={(result) =>
        result?.effective === false ? t.proposed(account.name) : t.granted(t.roleNames[role], account.name)
      }
      audit={{ action: 'account.grant', about_account_id: id }}
    />
  );
}

function Revoke({ account, role }: { account: AccountDetails; role: StaffRole }) {
  const t = useTexts(accounts);
  const id = account.account_id;
  return (
    <Action<RoleChange>
      name={`role.revoke/${id}/${role}`}
      send={(body, headers) => adminRevokeRole({ body, headers })}
      label={t.revoke}
      labelOf={t.roleNames[role]}
      title={t.revokeTitle(t.roleNames[role], account.name)}
      text={t.revokeText}
      confirm={t.revokeConfirm}
      look="danger"
      body={() => ({ account_id: id, role })}
      done={() => t.revoked(t.roleNames[role], account.name)}
      audit={{ action: 'account.revoke', about_account_id: id }}
    />
  );
}
