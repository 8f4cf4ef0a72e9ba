import { texts } from '../../language/language';

export const front = texts({
  en: {
    title: (site: string) => `News of ${site}`,
    noPosts: 'There are no news yet.',
    pinned: 'Pinned',
    guilds: 'Guilds',
    allGuilds: 'All guilds',
    shop: 'In the shop',
    toShop: 'To the shop',
  },
  pt: {
    title: (site) => `Notícias de ${site}`,
    noPosts: 'Ainda não há notícias.',
    pinned: 'Fixada',
    guilds: 'Guildas',
    allGuilds: 'Todas as guildas',
    shop: 'Na loja',
    toShop: 'Ir para a loja',
  },
  es: {
    title: (site) => `Noticias de ${site}`,
    noPosts: 'Todavía no hay noticias.',
    pinned: 'Fijada',
    guilds: 'Gremios',
    allGuilds: 'Todos los gremios',
    shop: 'En la tienda',
    toShop: 'Ir a la tienda',
  },
});
