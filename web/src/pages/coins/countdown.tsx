// The time until a payment expires.

import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../../language/language';
import { Icon } from '../../look/icon';
import { serverNow } from './server-clock';
import { coins } from './texts';

const SOON_SECONDS = 120;

interface CountdownProps {
  /** An instant (RFC 3339). */
  end: string;
  onEnd: () => void;
}

export function Countdown({ end, onEnd }: CountdownProps) {
  const t = useTexts(coins);
  const left = useSecondsUntil(Date.parse(end));
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) onEnd();
  }, [isOver]);
  return (
    <p class={`countdown ${left <= SOON_SECONDS ? 'soon' : ''}`}>
      <Icon name="clock" />
      {isOver ? (
        t.timeOver
      ) : (
        <span>
          {t.timeLeft} <span class="number">{clock(left)}</span>
        </span>
      )}
    </p>
  );
}

/** Computed from the clock at each tick: ticks are late or missing while a phone sleeps. */
function useSecondsUntil(end: number): number {
  const left = (): number => Math.max(0, Math.ceil((end - serverNow()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    const update = (): void => setSeconds(left());
    update();
    const ticks = setInterval(update, 1000);
    document.addEventListener('visibilitychange', update);
    return () => {
      clearInterval(ticks);
      document.removeEventListener('visibilitychange', update);
    };
  }, [end]);
  return seconds;
}

/** 4:07, or 1:04:07. */
function clock(seconds: number): string {
  const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0');
  const minutes = `${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
  return seconds >= 3600 ? `${Math.trunc(seconds / 3600)}:${minutes}` : minutes;
}
