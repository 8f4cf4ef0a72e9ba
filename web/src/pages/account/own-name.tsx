import type { Account } from '../../sdk';

/** Tells password managers which account the password of a form belongs to. Nobody sees or reaches it. */
export function OwnName({ account }: { account: Account }) {
  return <input hidden type="text" name="username" autocomplete="username" value={account.name} readOnly />;
}
