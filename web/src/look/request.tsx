// The failure of a request that is sent once, and a form that sends it.

import { useEffect, useState } from 'preact/hooks';
import type { RequestFailure, SingleRequest } from '../api/request';
import { useLanguage, useTexts } from '../language/language';
import { useProblemText } from '../language/problems';
import { Notice } from './controls';
import { Form, type FormProps } from './form';
import { look } from './texts';

interface FailureNoticeProps {
  failure: Pick<RequestFailure, 'problem' | 'retryAt'>;
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

interface RequestFormProps<Body, Data> extends FormProps<Body> {
  request: SingleRequest<Body, Data>;
  /** The form shows the sentences about its fields at the fields. */
  fieldsShown?: boolean;
}

/** A form that sends a request once. */
export function RequestForm<Body, Data>({ request, fieldsShown, ...form }: RequestFormProps<Body, Data>) {
  const { state } = request;
  const notice = state.step === 'failed' && <FailureNotice failure={state} fieldsShown={fieldsShown} />;
  return <Form {...form} isBusy={request.isBusy} send={request.send} notice={notice} />;
}
