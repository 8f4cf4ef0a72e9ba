import { Link } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { href } from '../../routes';
import { accountUndoEmailChange } from '../../sdk';
import type { EmailChangeUndone } from '../../sdk';
import { LinkPage } from './link-page';
import { mailLinks } from './texts';

export function UndoEmailChangePage() {
  const t = useTexts(mailLinks);
  return (
    <LinkPage<EmailChangeUndone>
      name="mail.undo-email-change"
      title={t.undoTitle}
      text={t.undoText}
      button={t.undo}
      send={(body, headers) => accountUndoEmailChange({ body, headers })}
      done={(result) => (
        <>
          <span>{t.undone(result?.email ?? '')}</span>
          <Link class="button" href={href('forgotPassword')}>
            {t.newPassword}
          </Link>
        </>
      )}
      refused={t.undoRefused}
    />
  );
}
