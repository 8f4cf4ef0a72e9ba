import { useTexts } from '../../language/language';
import { accountVerifyEmail } from '../../sdk';
import type { EmailVerified } from '../../sdk';
import { LinkPage } from './link-page';
import { mailLinks } from './texts';

/** Not at once: a program that checks mails must not verify the address of somebody else's registration. */
export function VerifyEmailPage() {
  const t = useTexts(mailLinks);
  return (
    <LinkPage<EmailVerified>
      name="mail.verify-email"
      title={t.verifyTitle}
      text={t.verifyText}
      button={t.verify}
      send={(body, headers) => accountVerifyEmail({ body, headers })}
      done={(result) => t.verified(result?.email ?? '')}
      refused={t.verifyAgain}
    />
  );
}
