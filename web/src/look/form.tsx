// A form with one button that sends it.

import type { ComponentChildren } from 'preact';
import { Button } from './controls';
import type { IconName } from './icon';

/** What the caller of a form chooses. */
export interface FormProps<Body> {
  /** The body to send. Undefined: the form is incomplete, and nothing is sent. */
  body: () => Body | undefined;
  button: string;
  icon?: IconName;
  look?: 'main' | 'quiet' | 'danger';
  /** Beside the button, such as a button that cancels. */
  after?: ComponentChildren;
  children?: ComponentChildren;
}

interface SendingFormProps<Body> extends FormProps<Body> {
  isBusy: boolean;
  send: (body: Body) => void;
  /** The state of what was sent, above the button. */
  notice: ComponentChildren;
}

export function Form<Body>({
  body,
  button,
  icon,
  look,
  after,
  children,
  isBusy,
  send,
  notice,
}: SendingFormProps<Body>) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const complete = body();
    if (complete !== undefined) send(complete);
  };
  return (
    <form class="form" onSubmit={submit}>
      {children}
      {notice}
      <div class="row">
        <Button type="submit" isBusy={isBusy} look={look ?? 'main'} {...(icon && { icon })}>
          {button}
        </Button>
        {after}
      </div>
    </form>
  );
}
