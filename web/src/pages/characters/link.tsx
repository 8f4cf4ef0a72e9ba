// Links to the pages of a character and of its guild.

import { Link } from 'wouter-preact';
import { Shield } from '../../look/shield';
import { href } from '../../routes';

export function CharacterLink({ name }: { name: string }) {
  return <Link href={href('character', { name })}>{name}</Link>;
}

export function GuildLink({ name }: { name: string }) {
  return (
    <Link class="guild-link" href={href('guild', { name })}>
      <Shield name={name} size={18} /> {name}
    </Link>
  );
}
