// What may be done to a member: set the nick, change the rank, pass on the leadership, kick.

import { useEffect, useRef, useState } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { CommandForm } from '../../look/command';
import { Button, Dialog, Notice, Select, TextField } from '../../look/controls';
import { guildChangeRank, guildKick, guildPassLeadership, guildSetNick } from '../../sdk';
import type { AssignableRank, GuildCharacter, GuildMember, GuildView, NewNick, NewRank, OwnCharacter } from '../../sdk';
import { guild as texts } from './guild-texts';
import { mayChangeRank, mayKick, mayMakeLeader, maySetNick } from './rank';

interface MemberDialogProps {
  guild: GuildView;
  actor: OwnCharacter;
  member: GuildMember;
  onClose: () => void;
  onDone: (message: string) => void;
}

type Step = 'choose' | 'kick' | 'make-leader';

export function MemberDialog({ guild, actor, member, onClose, onDone }: MemberDialogProps) {
  const t = useTexts(texts);
  const [step, setStep] = useState<Step>('choose');
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button of the last step is gone.
    if (step !== 'choose') content.current?.focus();
  }, [step]);
  const back = (
    <Button look="quiet" onClick={() => setStep('choose')}>
      {t.back}
    </Button>
  );
  const common = { guild, member, onDone };
  return (
    <Dialog title={member.name} isOpen onClose={onClose}>
      {member.online && <Notice look="warning">{t.isOnline(member.name)}</Notice>}
      <div class="stack" ref={content} tabIndex={-1}>
        {step === 'kick' && <Kick {...common} after={back} />}
        {step === 'make-leader' && <MakeLeader {...common} leader={actor.name} after={back} />}
        {step === 'choose' && (
          <>
            {maySetNick(actor, member) && <SetNick {...common} />}
            {mayChangeRank(actor, member) && <ChangeRank {...common} />}
            <div class="row">
              {mayMakeLeader(actor, member) && (
                <Button look="quiet" icon="crown" onClick={() => setStep('make-leader')}>
                  {t.makeLeader}
                </Button>
              )}
              {mayKick(actor, member) && (
                <Button look="danger" onClick={() => setStep('kick')}>
                  {t.kick}
                </Button>
              )}
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}

type ActionProps = Pick<MemberDialogProps, 'guild' | 'member' | 'onDone'>;

function SetNick({ guild, member, onDone }: ActionProps) {
  const t = useTexts(texts);
  const [nick, setNick] = useState(member.nick ?? '');
  const command = useCommand<NewNick>({
    name: `guild.nick/${guild.guild_id}/${member.character_id}`,
    send: (body, headers) => guildSetNick({ body, headers }),
    onDone: (_, body) => onDone(body.nick === '' ? t.nickRemoved(member.name) : t.nickSet(member.name, body.nick)),
  });
  return (
    <CommandForm
      command={command}
      body={() => ({ guild_id: guild.guild_id, character_id: member.character_id, nick: nick.trim() })}
      button={t.setNick}
    >
      <TextField label={t.nick} hint={t.nickText} value={nick} maxLength={15} onValue={setNick} />
    </CommandForm>
  );
}

function ChangeRank({ guild, member, onDone }: ActionProps) {
  const t = useTexts(texts);
  const [rank, setRank] = useState<AssignableRank>(member.rank === 'vice_leader' ? 'vice_leader' : 'member');
  const command = useCommand<NewRank>({
    name: `guild.rank/${guild.guild_id}/${member.character_id}`,
    send: (body, headers) => guildChangeRank({ body, headers }),
    onDone: (_, body) => onDone(t.rankChanged(member.name, t.ranks[body.rank])),
  });
  return (
    <CommandForm
      command={command}
      body={() => ({ guild_id: guild.guild_id, character_id: member.character_id, rank })}
      button={t.changeRank}
    >
      <Select
        label={t.rank}
        hint={t.rankText}
        value={rank}
        choices={[
          ['member', t.ranks.member],
          ['vice_leader', t.ranks.vice_leader],
        ]}
        onValue={setRank}
      />
    </CommandForm>
  );
}

function Kick({ guild, member, onDone, after }: ActionProps & { after: preact.ComponentChildren }) {
  const t = useTexts(texts);
  const command = useCommand<GuildCharacter>({
    name: `guild.kick/${guild.guild_id}/${member.character_id}`,
    send: (body, headers) => guildKick({ body, headers }),
    onDone: () => onDone(t.kicked(member.name)),
  });
  return (
    <CommandForm
      command={command}
      body={() => ({ guild_id: guild.guild_id, character_id: member.character_id })}
      button={t.kickConfirm(member.name)}
      look="danger"
      after={after}
    >
      <p>{t.kickText(member.name)}</p>
    </CommandForm>
  );
}

function MakeLeader({
  guild,
  member,
  leader,
  onDone,
  after,
}: ActionProps & { leader: string; after: preact.ComponentChildren }) {
  const t = useTexts(texts);
  const command = useCommand<GuildCharacter>({
    name: `guild.pass/${guild.guild_id}/${member.character_id}`,
    send: (body, headers) => guildPassLeadership({ body, headers }),
    onDone: () => onDone(t.leaderChanged(member.name)),
  });
  return (
    <CommandForm
      command={command}
      body={() => ({ guild_id: guild.guild_id, character_id: member.character_id })}
      button={t.makeLeaderConfirm(member.name)}
      look="danger"
      icon="crown"
      after={after}
    >
      <p>{t.makeLeaderText(member.name, leader)}</p>
    </CommandForm>
  );
}
