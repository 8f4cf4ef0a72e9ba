// A page that a mail opens, for an action that its reader confirms with a button. Programs that check the links of mails open
// pages too; some run their scripts. They press no button, so they use no token.

import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { useCommand } from '../../api/command';
import { useSession } from '../../api/session';
import { useTexts } from '../../language/language';
import { CommandForm, CommandNotice } from '../../look/command';
import { Notice } from '../../look/controls';
import { Page } from '../../look/page';
import { Shield } from '../../look/shield';
import { href } from '../../routes';
import { SITE_NAME } from '../../site-name';
import { MissingToken } from './missing-token';
import { mailLinks } from './texts';
import { useMailToken } from './token';

interface LinkPageProps<Result> {
  /** Identifies the command. */
  name: string;
  title: string;
  text: string;
  button: string;
  look?: 'main' | 'danger';
  send: (body: { token: string }, headers: { 'Idempotency-Key': string }) => Promise<unknown>;
  done: (result: Result | undefined) => ComponentChildren;
  /** The next step after the link was refused. */
  refused: ComponentChildren;
}

export function LinkPage<Result>({ name, title, text, button, look, send, done, refused }: LinkPageProps<Result>) {
  const token = useMailToken();
  // Another link that is opened in this tab is another command.
  const command = useCommand<{ token: string }, Result>({ name: `${name}/${token ?? ''}`, isSecret: true, send });
  if (token === undefined) {
    return (
      <Page title={title}>
        <MissingToken>
          <NextLink />
        </MissingToken>
      </Page>
    );
  }
  return (
    <Page title={title}>
      <section class="sheet letter">
        <Shield name={SITE_NAME} size={56} />
        {command.state.step === 'done' && (
          <>
            <Notice look="good">{done(command.state.result)}</Notice>
            <NextLink />
          </>
        )}
        {command.state.step === 'refused' && (
          <>
            <CommandNotice command={command} />
            <p>{refused}</p>
            <NextLink />
          </>
        )}
        {command.state.step !== 'done' && command.state.step !== 'refused' && (
          <>
            <p>{text}</p>
            <CommandForm command={command} body={() => ({ token })} button={button} {...(look && { look })} />
          </>
        )}
      </section>
    </Page>
  );
}

/** The account of the reader, or the log-in that leads to it. */
export function NextLink() {
  const t = useTexts(mailLinks);
  const session = useSession();
  const account = href('account');
  return session.state === 'member' ? (
    <Link class="button quiet" href={account}>
      {t.toAccount}
    </Link>
  ) : (
    <Link class="button quiet" href={`${href('logIn')}?next=${encodeURIComponent(account)}`}>
      {t.logIn}
    </Link>
  );
}
