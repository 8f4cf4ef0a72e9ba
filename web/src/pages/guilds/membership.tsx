// The reader's own membership: which character acts, leaving, and deleting the guild.

import { useState } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { CommandForm } from '../../look/command';
import { Button, Dialog, Select, TextField } from '../../look/controls';
import { useNavigateFromHere } from '../../look/navigation';
import { href } from '../../routes';
import { guildDelete, guildLeave } from '../../sdk';
import type { GuildCharacter, GuildToDelete, GuildView, OwnCharacter } from '../../sdk';
import { guild as texts } from './guild-texts';

interface MembershipProps {
  guild: GuildView;
  actor: OwnCharacter;
  /** The reader's members of the guild. */
  own: OwnCharacter[];
  onChoose: (characterId: number) => void;
  onLeft: (message: string) => void;
}

export function Membership({ guild, actor, own, onChoose, onLeft }: MembershipProps) {
  const t = useTexts(texts);
  const withRank = (each: OwnCharacter): string => t.yourRank(each.name, t.ranks[each.rank ?? 'member']);
  return (
    <section class="sheet">
      <h2>{t.yours}</h2>
      {own.length > 1 ? (
        <Select
          label={t.actAs}
          hint={t.actAsHint}
          value={String(actor.character_id)}
          choices={own.map((each) => [String(each.character_id), withRank(each)])}
          onValue={(id) => onChoose(Number(id))}
        />
      ) : (
        <p>{withRank(actor)}</p>
      )}
      {actor.rank === 'leader' && <p class="faint">{t.leaderStays}</p>}
      <div class="row">
        {actor.may.includes('leave') && <Leave key={actor.character_id} guild={guild} actor={actor} onLeft={onLeft} />}
        {actor.may.includes('delete') && <DeleteGuild guild={guild} />}
      </div>
    </section>
  );
}

function Leave({ guild, actor, onLeft }: Pick<MembershipProps, 'guild' | 'actor' | 'onLeft'>) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const command = useCommand<GuildCharacter>({
    name: `guild.leave/${guild.guild_id}/${actor.character_id}`,
    send: (body, headers) => guildLeave({ body, headers }),
    onDone: () => {
      setOpen(false);
      onLeft(t.left(actor.name));
    },
  });
  return (
    <>
      <Button look="danger" small onClick={() => setOpen(true)}>
        {t.leave}
      </Button>
      <Dialog title={t.leave} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{t.leaveText(actor.name)}</p>
        <CommandForm
          command={command}
          body={() => ({ guild_id: guild.guild_id, character_id: actor.character_id })}
          button={t.leaveConfirm(actor.name)}
          look="danger"
        />
      </Dialog>
    </>
  );
}

function DeleteGuild({ guild }: { guild: GuildView }) {
  const t = useTexts(texts);
  const navigate = useNavigateFromHere();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const command = useCommand<GuildToDelete>({
    name: `guild.delete/${guild.guild_id}`,
    send: (body, headers) => guildDelete({ body, headers }),
    onDone: () => navigate(href('guilds'), { state: { deleted: guild.name } }),
  });
  const confirmed = (): GuildToDelete | undefined => {
    const isSame = typed.trim().toLowerCase() === guild.name.toLowerCase();
    setWrong(!isSame);
    return isSame ? { guild_id: guild.guild_id } : undefined;
  };
  return (
    <>
      <Button look="danger" small icon="trash" onClick={() => setOpen(true)}>
        {t.delete}
      </Button>
      <Dialog title={t.delete} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{t.deleteText}</p>
        <CommandForm command={command} body={confirmed} button={t.deleteConfirm} look="danger" icon="trash">
          <TextField
            label={t.deleteType(guild.name)}
            error={isWrong ? t.deleteMismatch : undefined}
            value={typed}
            onValue={setTyped}
            autofocus
            autocomplete="off"
            spellcheck={false}
          />
        </CommandForm>
      </Dialog>
    </>
  );
}
