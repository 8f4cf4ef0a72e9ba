// The sessions of the account: which devices are logged in.

import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useCommand } from '../../api/command';
import { logOut } from '../../api/session';
import { frame } from '../../frame-texts';
import { useTexts } from '../../language/language';
import { CommandNotice } from '../../look/command';
import { Button, Notice } from '../../look/controls';
import { Loaded } from '../../look/query';
import { Time } from '../../look/values';
import { href } from '../../routes';
import { accountEndOtherSessions, accountEndSession } from '../../sdk';
import type { SessionDetails, SessionsEnded } from '../../sdk';
import { accountSessionsOptions } from '../../sdk/@tanstack/preact-query.gen';
import { deviceName } from './device';
import { sessionTexts } from './session-texts';

/** A log-in on another device appears without a reload. */
const LOOK_AGAIN_MS = 10_000;

export function SessionsTab() {
  const t = useTexts(sessionTexts);
  const query = useQuery({ ...accountSessionsOptions(), refetchInterval: LOOK_AGAIN_MS });
  const [ended, setEnded] = useState('');
  const endOthers = useCommand<Record<string, never>, SessionsEnded>({
    name: 'account.end-other-sessions',
    send: (_, headers) => accountEndOtherSessions({ headers }),
  });
  return (
    <section class="sheet">
      <p>{t.text}</p>
      <Loaded query={query}>
        {({ sessions }) => (
          <>
            <ul class="sessions">
              {[...sessions]
                .sort((one, other) => Number(other.current) - Number(one.current))
                .map((session) => (
                  <SessionItem key={session.session_id} session={session} onEnded={setEnded} />
                ))}
            </ul>
            {ended && <Notice look="good">{t.ended(ended)}</Notice>}
            <CommandNotice command={endOthers} done={t.othersEnded} />
            {sessions.length > 1 ? (
              <p>
                <Button look="danger" isBusy={endOthers.isBusy} onClick={() => endOthers.send({})}>
                  {t.endOthers}
                </Button>
              </p>
            ) : (
              <p class="faint">{t.onlyThis}</p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

interface SessionItemProps {
  session: SessionDetails;
  /** Called with the name of the device. */
  onEnded: (name: string) => void;
}

function SessionItem({ session, onEnded }: SessionItemProps) {
  const t = useTexts(sessionTexts);
  const { logOutFailed } = useTexts(frame);
  const [, navigate] = useLocation();
  const name = deviceName(session.device) || t.unknownDevice;
  const command = useCommand({
    name: `account.end-session/${session.session_id}`,
    send: (_: Record<string, never>, headers) => accountEndSession({ path: { id: session.session_id }, headers }),
    onDone: () => onEnded(name),
  });
  const leave = async (): Promise<void> => {
    if (await logOut()) navigate(href('front'));
    else alert(logOutFailed);
  };
  return (
    <li class={session.current ? 'session current' : 'session'}>
      <div class="session-name">
        <strong title={session.device}>{name}</strong>
        {session.current && <span class="tag good">{t.current}</span>}
      </div>
      <dl class="facts">
        <dt>{t.network}</dt>
        <dd>{session.network}</dd>
        <dt>{t.lastUse}</dt>
        <dd>
          <Time at={session.last_used_at} />
        </dd>
        <dt>{t.since}</dt>
        <dd>
          <Time at={session.created_at} />
        </dd>
      </dl>
      <div class="session-end">
        {session.current ? (
          <Button look="quiet" small onClick={leave}>
            {t.logOut}
          </Button>
        ) : (
          <Button
            look="danger"
            small
            isBusy={command.isBusy}
            aria-label={t.endOf(name)}
            onClick={() => command.send({})}
          >
            {t.end}
          </Button>
        )}
      </div>
      <CommandNotice command={command} />
    </li>
  );
}
