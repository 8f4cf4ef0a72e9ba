// The vocations that a player can choose, in the words of the game. Change the list for the game of the site.

export const VOCATIONS = ['Druid', 'Knight', 'Paladin', 'Sorcerer'] as const;
