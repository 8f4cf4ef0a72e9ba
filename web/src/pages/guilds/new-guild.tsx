// Founds a guild.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { CommandForm } from '../../look/command';
import { Select, TextField } from '../../look/controls';
import { useNavigateFromHere } from '../../look/navigation';
import { Members, Page } from '../../look/page';
import { Empty, Loaded } from '../../look/query';
import { Shield } from '../../look/shield';
import { href } from '../../routes';
import { guildCreate } from '../../sdk';
import type { Character, GuildCreated, NewGuild } from '../../sdk';
import { useMyCharacters } from '../characters/mine';
import { guilds } from './list-texts';

export function NewGuildPage() {
  const t = useTexts(guilds);
  return (
    <Page title={t.newTitle}>
      <Members>
        <ChooseLeader />
      </Members>
    </Page>
  );
}

function ChooseLeader() {
  const t = useTexts(guilds);
  const mine = useMyCharacters();
  return (
    <Loaded query={mine}>
      {({ items }) => {
        const free = items.filter((each) => each.guild_name === undefined && each.deletion_due_at === undefined);
        if (free.length > 0) return <NewGuildForm characters={free} />;
        return (
          <Empty>
            <p>{items.length === 0 ? t.noCharacter : t.allInGuilds}</p>
            <Link class="button" href={href('characters')}>
              {t.toCharacters}
            </Link>
          </Empty>
        );
      }}
    </Loaded>
  );
}

function NewGuildForm({ characters }: { characters: Character[] }) {
  const t = useTexts(guilds);
  const navigate = useNavigateFromHere();
  const [name, setName] = useState('');
  const [leader, setLeader] = useState(String(characters[0]?.character_id));
  const command = useCommand<NewGuild, GuildCreated>({
    name: 'guild.create',
    send: (body, headers) => guildCreate({ body, headers }),
    onDone: (_, body) => navigate(href('guild', { name: body.name }), { state: { isNew: true } }),
  });
  return (
    <div class="columns">
      <section class="sheet">
        <p>{t.newIntro}</p>
        <CommandForm command={command} body={() => ({ name, character_id: Number(leader) })} button={t.createButton}>
          <TextField
            label={t.name}
            hint={t.nameRules}
            value={name}
            onValue={setName}
            required
            minLength={3}
            maxLength={30}
            pattern="[A-Za-z0-9]+([ '\-][A-Za-z0-9]+)*"
            title={t.nameRules}
            autocomplete="off"
            spellcheck={false}
          />
          <Select
            label={t.leader}
            hint={t.leaderHint}
            value={leader}
            choices={characters.map((each) => [
              String(each.character_id),
              t.character(each.name, each.level, each.vocation),
            ])}
            onValue={setLeader}
          />
        </CommandForm>
      </section>
      <aside class="coat-of-arms" aria-label={t.preview}>
        <Shield name={name.trim()} size={160} />
        <p class="faint">{t.preview}</p>
      </aside>
    </div>
  );
}
