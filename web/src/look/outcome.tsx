// A message about a change whose button or row is gone.

import { useEffect, useRef } from 'preact/hooks';
import { Notice } from './controls';

/** Takes the focus when the message appears: the control that had it does not exist any more. */
export function Outcome({ message }: { message: string | undefined }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (message === undefined) return undefined;
    // A dialog that closes at the same time gives the focus back first.
    const timer = setTimeout(() => element.current?.focus());
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <div ref={element} tabIndex={-1} class="outcome">
      {message !== undefined && <Notice look="good">{message}</Notice>}
    </div>
  );
}
