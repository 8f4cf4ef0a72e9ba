// The state of a command, as a sentence. Forms and buttons of commands show it.

import type { ComponentChildren } from 'preact';
import type { Command } from '../api/command';
import { useTexts } from '../language/language';
import { useProblemText } from '../language/problems';
import { Button, Notice } from './controls';
import type { IconName } from './icon';
import { look } from './texts';

interface CommandNoticeProps<Body, Result> {
  command: Command<Body, Result>;
  /** What is shown when the command took effect. Nothing without it. */
  done?: ComponentChildren;
  /** The form shows the sentences about its fields at the fields. */
  fieldsShown?: boolean | undefined;
}

/** `sending` is not shown for a fast command: its button is busy. */
export function CommandNotice<Body, Result>({
  command: { state },
  done,
  fieldsShown,
}: CommandNoticeProps<Body, Result>) {
  const t = useTexts(look);
  const textOf = useProblemText();
  switch (state.step) {
    case 'idle':
    case 'sending':
      return null;
    case 'repeating':
      return <Notice look="warning">{t.repeating}</Notice>;
    case 'waiting':
      return <Notice>{t.waiting}</Notice>;
    case 'unknown':
      return <Notice look="warning">{t.unknown}</Notice>;
    case 'refused':
      return <Notice look="bad">{textOf(state.problem, fieldsShown)}</Notice>;
    case 'done':
      return done === undefined ? null : <Notice look="good">{done}</Notice>;
  }
}

interface CommandFormProps<Body, Result> {
  command: Command<Body, Result>;
  /** The body to send. Undefined: the form is incomplete, and nothing is sent. */
  body: () => Body | undefined;
  button: string;
  icon?: IconName;
  look?: 'main' | 'quiet' | 'danger';
  done?: ComponentChildren;
  /** The form shows the sentences about its fields at the fields. */
  fieldsShown?: boolean;
  /** Beside the button, such as a button that cancels. */
  after?: ComponentChildren;
  children?: ComponentChildren;
}

/** A form that sends a command. */
export function CommandForm<Body, Result>(props: CommandFormProps<Body, Result>) {
  const { command, body, button, icon, done, after, children } = props;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const complete = body();
    if (complete !== undefined) command.send(complete);
  };
  return (
    <form class="form" onSubmit={submit}>
      {children}
      <CommandNotice command={command} done={done} fieldsShown={props.fieldsShown} />
      <div class="row">
        <Button type="submit" isBusy={command.isBusy} look={props.look ?? 'main'} {...(icon && { icon })}>
          {button}
        </Button>
        {after}
      </div>
    </form>
  );
}
