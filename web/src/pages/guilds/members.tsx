// The members of a guild.

import { useState } from 'preact/hooks';
import { useTexts } from '../../language/language';
import { Button } from '../../look/controls';
import { Icon } from '../../look/icon';
import { Count, Time } from '../../look/values';
import type { GuildMember, GuildView, OwnCharacter } from '../../sdk';
import { CharacterLink } from '../characters/link';
import { guild as texts } from './guild-texts';
import { MemberDialog } from './member-dialog';
import { Outcome } from '../../look/outcome';
import { mayManage } from './rank';

interface MembersProps {
  guild: GuildView;
  /** The reader's member whose actions are shown. Undefined: the reader has none here. */
  actor: OwnCharacter | undefined;
}

export function Members({ guild, actor }: MembersProps) {
  const t = useTexts(texts);
  const [managed, setManaged] = useState<GuildMember>();
  const [message, setMessage] = useState<string>();
  const own = new Set(guild.own_characters?.map((each) => each.character_id));
  const isManager = actor !== undefined && guild.members.some((member) => mayManage(actor, member));
  return (
    <section class="sheet">
      <h2>{t.membersTitle}</h2>
      <Outcome message={message} />
      <table class="table roll" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {t.name}
            </th>
            <th role="columnheader" scope="col">
              {t.rank}
            </th>
            <th role="columnheader" scope="col" class="number">
              {t.level}
            </th>
            <th role="columnheader" scope="col">
              {t.vocation}
            </th>
            <th role="columnheader" scope="col">
              {t.joined}
            </th>
            {isManager && (
              <th role="columnheader" scope="col">
                <span class="visually-hidden">{t.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {guild.members.map((member) => (
            <tr role="row" key={member.character_id}>
              <th role="rowheader" scope="row">
                <span class="member-name">
                  <CharacterLink name={member.name} />
                  {member.nick !== undefined && <span class="faint">“{member.nick}”</span>}
                  {own.has(member.character_id) && <span class="tag">{t.you}</span>}
                  {member.online && <span class="tag good">{t.online}</span>}
                </span>
              </th>
              <td role="cell" class="rank">
                {member.rank === 'leader' && <Icon name="crown" size={16} />}
                {t.ranks[member.rank]}
              </td>
              <td role="cell" class="number" data-label={t.level}>
                <Count value={member.level} />
              </td>
              <td role="cell">{member.vocation}</td>
              <td role="cell" class="joined" data-label={t.joined}>
                <Time at={member.joined_at} date />
              </td>
              {isManager && (
                <td role="cell" class="manage">
                  {mayManage(actor, member) && (
                    <Button
                      look="quiet"
                      small
                      aria-label={t.manageOne(member.name)}
                      onClick={() => {
                        setMessage(undefined);
                        setManaged(member);
                      }}
                    >
                      {t.manage}
                    </Button>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {actor && managed && (
        <MemberDialog
          key={managed.character_id}
          guild={guild}
          actor={actor}
          member={managed}
          onClose={() => setManaged(undefined)}
          onDone={(text) => {
            setManaged(undefined);
            setMessage(text);
          }}
        />
      )}
    </section>
  );
}
