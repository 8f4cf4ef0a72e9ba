import { Link } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { href } from '../../routes';
import { accountCancelDeletionByLink } from '../../sdk';
import { LinkPage } from './link-page';
import { mailLinks } from './texts';

export function CancelDeletionPage() {
  const t = useTexts(mailLinks);
  return (
    <LinkPage
      name="mail.cancel-deletion"
      title={t.keepTitle}
      text={t.keepText}
      button={t.keep}
      send={(body, headers) => accountCancelDeletionByLink({ body, headers })}
      done={() => (
        <>
          <span>{t.kept}</span>
          <Link href={href('forgotPassword')}>{t.newPassword}</Link>
        </>
      )}
      refused={t.keepRefused}
    />
  );
}
