// The routes of the site. Each part is loaded when one of its pages is opened.

import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { Route, Switch, useLocation } from 'wouter-preact';
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
    // The server is away, or it has another version of the site with other files. A reload helps in both cases.
    return hasFailed ? <ReloadNotice text={t.noResponse} /> : <Loading />;
  };
}

function ReloadNotice({ text }: { text: string }) {
  const t = useTexts(look);
  return (
    <Notice look="warning">
      {text}
      <Button look="quiet" small onClick={() => location.reload()}>
        {t.again}
      </Button>
    </Notice>
  );
}

/** The page, or a notice after an error of it: the frame stays, and another page can be opened. */
function Boundary({ children }: { children: ComponentChildren }) {
  const t = useTexts(look);
  const [path] = useLocation();
  const [error, reset] = useErrorBoundary((cause) => console.error(cause)) as [unknown, () => void];
  useEffect(reset, [path]);
  return error === undefined ? <>{children}</> : <ReloadNotice text={t.defect} />;
}

// A more special pattern stands before a more general one: `/guilds/new` before `/guilds/:name`.
const PARTS: [() => Promise<{ pages: Part }>, PageName[]][] = [
  [() => import('./pages/news'), ['post']],
  [() => import('./pages/guilds'), ['guilds', 'newGuild', 'guild', 'invites']],
  [() => import('./pages/characters'), ['highscores', 'online', 'deaths', 'characters', 'character']],
  [() => import('./pages/shop'), ['cart', 'shop', 'purchases']],
  [() => import('./pages/coins'), ['coins', 'coinHistory', 'payments', 'payment']],
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
      <Boundary>
        <Switch>
          <Route path={patterns.front} component={FrontPage} />
          {routes}
          <Route component={NotFoundPage} />
        </Switch>
      </Boundary>
    </Frame>
  );
}
