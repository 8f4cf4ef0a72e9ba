// The failure of a request that is sent once, and a form that sends it.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RequestFailure, SingleRequest } from '../api/request';
import { useLanguage, useTexts } from '../language/language';
import { useProblemText } from '../language/problems';
import { Button, Notice } from './controls';
import type { IconName } from './icon';
import { look } from './texts';

interface FailureNoticeProps {
  failure: RequestFailure;
  /** The form shows the sentences about its fields at the fields. */
  fieldsShown?: boolean | undefined;
}

/** Why a request failed. A limit shows how long the reader has to wait. */
export function FailureNotice({ failure: { problem, retryAt }, fieldsShown }: FailureNoticeProps) {
  const t = useTexts(look);
  const textOf = useProblemText();
  if (!problem) return <Notice look="warning">{t.noResponse}</Notice>;
  return (
    <Notice look="bad">
      <span>{textOf(problem, fieldsShown)}</span>
      {problem.status === 429 && retryAt !== undefined && <Countdown until={retryAt} />}
    </Notice>
  );
}

/** Counts down to an instant. A timer is no live region, so screen readers do not read each second. */
function Countdown({ until }: { until: number }) {
  const t = useTexts(look);
  const { language } = useLanguage();
  const [now, setNow] = useState(() => Date.now());
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const [count, unit] = seconds < 100 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  const time = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  return <strong role="timer">{seconds === 0 ? t.tryNow : t.tryAgainIn(time)}</strong>;
}

interface RequestFormProps<Body, Data> {
  request: SingleRequest<Body, Data>;
  /** The body to send. Undefined: the form is incomplete, and nothing is sent. */
  body: () => Body | undefined;
  button: string;
  icon?: IconName;
  look?: 'main' | 'quiet' | 'danger';
  /** The form shows the sentences about its fields at the fields. */
  fieldsShown?: boolean;
  /** Beside the button, such as a button that cancels. */
  after?: ComponentChildren;
  children?: ComponentChildren;
}

/** A form that sends a request once. */
export function RequestForm<Body, Data>(props: RequestFormProps<Body, Data>) {
  const { request, body, button, icon, after, children } = props;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const complete = body();
    if (complete !== undefined) request.send(complete);
  };
  return (
    <form class="form" onSubmit={submit}>
      {children}
      {request.state.step === 'failed' && <FailureNotice failure={request.state} fieldsShown={props.fieldsShown} />}
      <div class="row">
        <Button type="submit" isBusy={request.isBusy} look={props.look ?? 'main'} {...(icon && { icon })}>
          {button}
        </Button>
        {after}
      </div>
    </form>
  );
}
