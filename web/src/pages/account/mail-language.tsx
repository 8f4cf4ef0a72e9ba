// The language of the mails that the account receives.

import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { CommandNotice } from '../../look/command';
import { Select } from '../../look/controls';
import { accountChangeLanguage } from '../../sdk';
import type { Account, Language } from '../../sdk';
import { emailTexts } from './email-texts';

const NAMES = [
  ['en', 'English'],
  ['pt', 'Português'],
  ['es', 'Español'],
] as const;

export function MailLanguage({ account }: { account: Account }) {
  const t = useTexts(emailTexts);
  const command = useCommand({
    name: 'account.change-language',
    send: (body: { language: Language }, headers) => accountChangeLanguage({ body, headers }),
  });
  return (
    <>
      <Select
        label={t.mailLanguage}
        value={account.language}
        choices={NAMES}
        onValue={(language) => command.send({ language })}
      />
      <CommandNotice command={command} done={t.mailLanguageChanged} />
    </>
  );
}
