// The message about a change that took effect. It stays when the changed row leaves the list, and when the page changes.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { hasRole, useAccount } from '../../../api/account';
import { useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { href } from '../../../routes';
import { withParameters } from './address';
import { panel } from './texts';

/** The filters that show the audit entry of a change. */
export interface AuditFilter {
  action: string;
  about_account_id?: number | undefined;
}

interface Change {
  message: string;
  audit?: AuditFilter | undefined;
  /** The page that shows the message. */
  path: string;
}

let latest: Change | undefined;
const changed = new EventTarget();

/** Shows a message on the page that is open now. */
export function report(message: string, audit?: AuditFilter): void {
  latest = { message, audit, path: location.pathname };
  changed.dispatchEvent(new Event('report'));
}

/** Removes the message: another change begins. */
export function clearReport(): void {
  latest = undefined;
  changed.dispatchEvent(new Event('report'));
}

/** The message of this page. It takes the focus, because the control of the change may be gone. */
export function Report() {
  const t = useTexts(panel);
  const [path] = useLocation();
  const [change, setChange] = useState(latest);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const update = (): void => setChange(latest);
    update();
    changed.addEventListener('report', update);
    return () => changed.removeEventListener('report', update);
  }, []);
  const isHere = change !== undefined && change.path === path;
  useEffect(() => {
    if (!isHere) return undefined;
    // A dialog that closes at the same time gives the focus back first.
    const timer = setTimeout(() => {
      element.current?.focus({ preventScroll: true });
      element.current?.scrollIntoView({ block: 'nearest' });
    });
    return () => clearTimeout(timer);
  }, [isHere, change]);
  useEffect(
    () => () => {
      // A page that is opened again later does not repeat the message.
      if (latest?.path === path && location.pathname !== path) latest = undefined;
    },
    [path],
  );
  return (
    <div ref={element} tabIndex={-1} class="outcome">
      {isHere && (
        <Notice look="good">
          <span>{change.message}</span>
          <AuditLink filter={change.audit} />
          <button type="button" class="button quiet small end" onClick={clearReport}>
            {t.hide}
          </button>
        </Notice>
      )}
    </div>
  );
}

/** A link to the entries of an action. Only administrators can read the audit log. */
export function AuditLink({ filter }: { filter: AuditFilter | undefined }) {
  const t = useTexts(panel);
  const isAdmin = hasRole(useAccount(), 'admin');
  if (!filter || !isAdmin) return null;
  return <Link href={withParameters(href('staffPage', { page: 'audit' }), { ...filter })}>{t.auditLink}</Link>;
}
