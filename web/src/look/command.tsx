// The state of a command, as a sentence. Forms and buttons of commands show it.

import type { ComponentChildren } from 'preact';
import type { Command, EarlierCommand } from '../api/command';
import { useTexts } from '../language/language';
import { useProblemText } from '../language/problems';
import { Button, Notice } from './controls';
import { Form, type FormProps } from './form';
import { useIsShownFor } from './loading';
import { FailureNotice } from './request';
import { look } from './texts';
import { Time } from './values';

interface CommandNoticeProps<Body, Result> {
  command: Command<Body, Result>;
  /** What is shown when the command took effect. Nothing without it. */
  done?: ComponentChildren;
  /** The form shows the sentences about its fields at the fields. */
  fieldsShown?: boolean | undefined;
}

export function CommandNotice<Body, Result>({
  command: { state, earlier },
  done,
  fieldsShown,
}: CommandNoticeProps<Body, Result>) {
  const t = useTexts(look);
  const textOf = useProblemText();
  switch (state.step) {
    case 'idle':
      return null;
    case 'sending':
      return <Sending />;
    case 'repeating':
      return <Notice look="warning">{t.repeating}</Notice>;
    case 'waiting':
      return <Notice>{t.waiting}</Notice>;
    case 'unknown':
    case 'earlier':
      if (!earlier) return <Notice look="warning">{t.unknown}</Notice>;
      return <WithoutOutcome command={earlier} isOther={state.step === 'earlier'} />;
    case 'limited':
      return <FailureNotice failure={state} />;
    case 'refused':
      return <Notice look="bad">{textOf(state.problem, fieldsShown)}</Notice>;
    case 'done':
      return done === undefined ? null : <Notice look="good">{done}</Notice>;
  }
}

interface WithoutOutcomeProps {
  command: EarlierCommand;
  /** The reader has sent another command, which waits for this one. */
  isOther: boolean;
}

/** A command that may have taken effect. The reader decides: another one is not sent before. */
function WithoutOutcome({ command: { startedAt, repeat, discard }, isOther }: WithoutOutcomeProps) {
  const t = useTexts(look);
  const decide = (action: () => void) => (event: MouseEvent) => {
    const form = (event.currentTarget as HTMLElement).closest('form');
    action();
    form?.querySelector<HTMLElement>('[type=submit]')?.focus(); // the button disappears, and the focus with it
  };
  return (
    <Notice look="warning">
      <span>
        {isOther && t.notSent} {t.withoutOutcome}
      </span>
      <span class="faint">
        {t.sentAt} <Time at={new Date(startedAt).toISOString()} />
      </span>
      <span class="row">
        <Button look="quiet" small onClick={decide(repeat)}>
          {t.askForOutcome}
        </Button>
        <Button look="quiet" small icon="trash" onClick={decide(discard)}>
          {t.discard}
        </Button>
      </span>
    </Notice>
  );
}

const SLOW_MS = 1_500;

/** Nothing at first: the outcome of most commands is here before a reader has read a notice. */
function Sending() {
  const t = useTexts(look);
  return useIsShownFor(SLOW_MS) ? <Notice>{t.sending}</Notice> : null;
}

interface CommandFormProps<Body, Result> extends FormProps<Body> {
  command: Command<Body, Result>;
  done?: ComponentChildren;
  /** The form shows the sentences about its fields at the fields. */
  fieldsShown?: boolean;
}

/** A form that sends a command. */
export function CommandForm<Body, Result>({ command, done, fieldsShown, ...form }: CommandFormProps<Body, Result>) {
  const notice = <CommandNotice command={command} done={done} fieldsShown={fieldsShown} />;
  return <Form {...form} isBusy={command.isBusy} send={command.send} notice={notice} />;
}
