// The frame of the panel: the navigation at the side, and the section that the address names.

import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { hasRole, useAccount } from '../../../api/account';
import { useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { Loading } from '../../../look/loading';
import { Members, Page } from '../../../look/page';
import { look } from '../../../look/texts';
import { href } from '../../../routes';
import type { Account } from '../../../sdk';
import { Report } from './report';
import { mayOpen, SECTIONS, type Section, type SectionGroup, type SectionName } from './sections';
import { panel } from './texts';

export function Panel() {
  const { page = 'overview' } = useParams<{ page?: string }>();
  const account = useAccount();
  const t = useTexts(panel);
  if (account && hasRole(account, 'editor', 'merchant')) return <PanelOf account={account} page={page} />;
  return (
    <Page title={t.title}>
      <Members>{account ? <Notice look="bad">{t.noStaff}</Notice> : <Loading />}</Members>
    </Page>
  );
}

function PanelOf({ account, page }: { account: Account; page: string }) {
  const t = useTexts(panel);
  const sections = SECTIONS.filter((section) => mayOpen(account, section));
  const section = sections.find(({ name }) => name === page);
  return (
    <div class="staff">
      <Navigation sections={sections} current={section?.name} />
      <div class="staff-section">
        <Report />
        {section ? (
          <LoadedSection key={section.name} section={section} />
        ) : (
          <Page title={t.title}>
            <Notice look="warning">{t.noSection}</Notice>
          </Page>
        )}
      </div>
    </div>
  );
}

const GROUPS: readonly SectionGroup[] = ['start', 'content', 'shop', 'players', 'system'];

function Navigation({ sections, current }: { sections: Section[]; current: SectionName | undefined }) {
  const t = useTexts(panel);
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the sections are a row that scrolls.
    const row = element.current;
    const link = row?.querySelector<HTMLElement>('[aria-current]');
    if (row && link) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
  }, [current]);
  return (
    <nav class="staff-navigation" aria-label={t.navigation} ref={element}>
      {GROUPS.map((group) => {
        const members = sections.filter((section) => section.group === group);
        if (members.length === 0) return null;
        return (
          <div key={group} class="staff-group">
            {group !== 'start' && <p class="staff-group-name">{t.groups[group]}</p>}
            {members.map(({ name }) => (
              <Link key={name} href={addressOf(name)} aria-current={name === current ? 'page' : undefined}>
                {t.sections[name]}
              </Link>
            ))}
          </div>
        );
      })}
    </nav>
  );
}

function addressOf(section: SectionName): string {
  return section === 'overview' ? href('staff') : href('staffPage', { page: section });
}

const loaded = new Map<SectionName, ComponentType>();

function LoadedSection({ section }: { section: Section }) {
  const t = useTexts(look);
  const [Content, setContent] = useState(() => loaded.get(section.name));
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    if (Content) return;
    section.load().then(
      (part) => {
        loaded.set(section.name, part.Section);
        setContent(() => part.Section);
      },
      () => setHasFailed(true),
    );
  }, []);
  if (Content) return <Content />;
  return hasFailed ? <Notice look="bad">{t.noResponse}</Notice> : <Loading />;
}
