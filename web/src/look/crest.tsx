// The sign of a guild: its logo, or else the coat of arms of its name.

import { client } from '../sdk/client.gen';
import type { GuildLogoData } from '../sdk';
import { Shield } from './shield';

interface CrestProps {
  guild: { name: string; logo?: string };
  size?: number;
}

/** It stands beside the name of the guild, so screen readers skip it. */
export function Crest({ guild: { name, logo }, size = 40 }: CrestProps) {
  if (logo === undefined) return <Shield name={name} size={size} />;
  // Screens have up to three pixels in place of one.
  const path = { hash: logo, size: size > 42 ? 'large' : 'medium' } as const;
  const address = client.buildUrl<GuildLogoData>({
    url: '/guild/logo/{hash}/{size}',
    path,
  });
  return <img class="shield crest" src={address} width={size} height={size} alt="" />;
}
