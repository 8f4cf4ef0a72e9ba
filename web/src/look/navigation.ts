// The way from a page to another one after a command.

import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

type Navigate = (address: string, options?: { state?: unknown }) => void;

/** Leads to another page, unless the reader has left this one while the command was sent. */
export function useNavigateFromHere(): Navigate {
  const [, navigate] = useLocation();
  const isShown = useRef(true);
  useEffect(() => () => void (isShown.current = false), []);
  return (address, options) => {
    if (isShown.current) navigate(address, options);
  };
}
