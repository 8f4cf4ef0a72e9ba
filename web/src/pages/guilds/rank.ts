// What a member may do to another one, as the rules of the API say.

import type { GuildMember, OwnCharacter } from '../../sdk';

const ORDER = { member: 0, vice_leader: 1, leader: 2 } as const;

export function mayKick(actor: OwnCharacter, member: GuildMember): boolean {
  return actor.rank !== undefined && actor.may.includes('kick') && ORDER[member.rank] < ORDER[actor.rank];
}

export function mayChangeRank(actor: OwnCharacter, member: GuildMember): boolean {
  return actor.may.includes('change_rank') && member.rank !== 'leader';
}

export function mayMakeLeader(actor: OwnCharacter, member: GuildMember): boolean {
  return actor.may.includes('pass_leadership') && member.rank !== 'leader';
}

/** Members set their own nick, and the leading ranks that of every member. */
export function maySetNick(actor: OwnCharacter, member: GuildMember): boolean {
  return actor.may.includes('set_nick') || actor.character_id === member.character_id;
}

export function mayManage(actor: OwnCharacter, member: GuildMember): boolean {
  return (
    maySetNick(actor, member) || mayKick(actor, member) || mayChangeRank(actor, member) || mayMakeLeader(actor, member)
  );
}

/** The reader's members of the guild, the one with the highest rank first. */
export function ownMembers(characters: OwnCharacter[]): OwnCharacter[] {
  const order = (each: OwnCharacter): number => (each.rank === undefined ? -1 : ORDER[each.rank]);
  return characters.filter((each) => each.rank !== undefined).sort((a, b) => order(b) - order(a));
}
