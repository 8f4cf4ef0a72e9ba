// The token in the link of a mail (docs/MAIL.md). It stands in the fragment, so no server has it in its log.

import { useEffect, useState } from 'preact/hooks';

const TOKEN = /^#token=([\w-]{43})$/;

/** Reads the token, and removes it from the address, from the history and from links that the reader copies. */
function takeToken(): string | undefined {
  const token = TOKEN.exec(location.hash)?.[1];
  if (token !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

/** The token of the link that has opened this page, or that was opened in the same tab later. */
export function useMailToken(): string | undefined {
  const [token, setToken] = useState(takeToken);
  useEffect(() => {
    const update = (): void => {
      const next = takeToken();
      if (next !== undefined) setToken(next);
    };
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return token;
}
