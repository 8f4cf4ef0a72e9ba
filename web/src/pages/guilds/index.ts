import './guilds.css';
import { GuildPage } from './guild';
import { InvitesPage } from './invites';
import { GuildListPage } from './list';
import { NewGuildPage } from './new-guild';

export const pages = { guilds: GuildListPage, newGuild: NewGuildPage, guild: GuildPage, invites: InvitesPage };
