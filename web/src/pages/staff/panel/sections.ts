// The sections of the panel, in the order of the navigation.

import type { ComponentType } from 'preact';
import type { Account, Role } from '../../../sdk';
import { hasRole } from '../../../api/account';

interface SectionPart {
  name: string;
  group: 'start' | 'content' | 'shop' | 'players' | 'system';
  /** Administrators see every section. */
  roles: readonly Role[];
  load: () => Promise<{ Section: ComponentType }>;
}

export const SECTIONS = [
  { name: 'overview', group: 'start', roles: ['editor', 'merchant'], load: () => import('../overview') },
  { name: 'news', group: 'content', roles: ['editor'], load: () => import('../news') },
  { name: 'categories', group: 'shop', roles: ['merchant'], load: () => import('../categories') },
  { name: 'offers', group: 'shop', roles: ['merchant'], load: () => import('../offers') },
  { name: 'packages', group: 'shop', roles: [], load: () => import('../packages') },
  { name: 'accounts', group: 'players', roles: [], load: () => import('../accounts') },
  { name: 'payments', group: 'players', roles: [], load: () => import('../payments') },
  { name: 'deliveries', group: 'players', roles: [], load: () => import('../deliveries') },
  { name: 'health', group: 'system', roles: [], load: () => import('../health') },
  { name: 'notifications', group: 'system', roles: [], load: () => import('../notifications') },
  { name: 'mails', group: 'system', roles: [], load: () => import('../mails') },
  { name: 'game-servers', group: 'system', roles: [], load: () => import('../game-servers') },
  { name: 'tokens', group: 'system', roles: [], load: () => import('../tokens') },
  { name: 'dead-letters', group: 'system', roles: [], load: () => import('../dead-letters') },
  { name: 'audit', group: 'system', roles: [], load: () => import('../audit') },
] as const satisfies readonly SectionPart[];

export type SectionName = (typeof SECTIONS)[number]['name'];

export type SectionGroup = SectionPart['group'];

export type Section = (typeof SECTIONS)[number];

export function mayOpen(account: Account | undefined, section: Section): boolean {
  return hasRole(account, ...section.roles);
}
