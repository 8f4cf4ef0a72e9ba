// The routes of the site. Each part is loaded when one of its pages is opened.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Route, Switch } from 'wouter-preact';
import { Frame } from './frame';
import { useTexts } from './language/language';
import { Button, Notice } from './look/controls';
import { Loading } from './look/loading';
import { look } from './look/texts';
import { FrontPage } from './pages/front';
import { NotFoundPage } from './pages/not-found';
import { patterns, type PageName } from './routes';

/** The module of a part of the site: it exports the pages by their names. */
type Part = Partial<Record<PageName, ComponentType>>;

function lazy(load: () => Promise<Part>, name: PageName): ComponentType {
  let loaded: ComponentType | undefined;
  return function LazyPage() {
    const t = useTexts(look);
    const [Page, setPage] = useState<ComponentType | undefined>(() => loaded);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (Page) return;
      const show = (part: Part): void => {
        loaded = part[name] ?? NotFoundPage;
        setPage(() => loaded);
      };
      load().then(show, () => setFailed(true));
    }, []);
    if (Page) return <Page />;
    if (!hasFailed) return <Loading />;
    // The server is away, or it has another version of the site with other files. A reload helps in both cases.
    return (
      <Notice look="warning">
        {t.noResponse}
        <Button look="quiet" small onClick={() => location.reload()}>
          {t.again}
        </Button>
      </Notice>
    );
  };
}

// A more special pattern stands before a more general one: `/guilds/new` before `/guilds/:name`.
const PARTS: [() => Promise<{ pages: Part }>, PageName[]][] = [
  [() => import('./pages/news'), ['post']],
  [() => import('./pages/guilds'), ['guilds', 'newGuild', 'guild', 'invites']],
  [() => import('./pages/characters'), ['highscores', 'online', 'deaths', 'characters', 'character']],
  [() => import('./pages/shop'), ['cart', 'shop', 'purchases']],
  [() => import('./pages/coins'), ['coins', 'payment']],
  [() => import('./pages/log-in'), ['logIn', 'register', 'forgotPassword', 'resetPassword']],
  [() => import('./pages/mail-links'), ['verifyEmail', 'undoEmailChange', 'export', 'cancelDeletion']],
  [() => import('./pages/account'), ['account', 'accountPage']],
  [() => import('./pages/staff'), ['staff', 'staffPage', 'staffItem']],
];

const routes = PARTS.flatMap(([load, names]) =>
  names.map((name) => {
    const Page = lazy(async () => (await load()).pages, name);
    return (
      <Route key={name} path={patterns[name]}>
        <Page />
      </Route>
    );
  }),
);

export function App() {
  return (
    <Frame>
      <Switch>
        <Route path={patterns.front} component={FrontPage} />
        {routes}
        <Route component={NotFoundPage} />
      </Switch>
    </Frame>
  );
}
