// A button that changes something: a dialog says what will happen, asks for a reason if the API needs one, and sends the command.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useCommand } from '../../../api/command';
import { queries } from '../../../api/queries';
import { useTexts } from '../../../language/language';
import { CommandForm } from '../../../look/command';
import { Button, Dialog, TextArea } from '../../../look/controls';
import type { IconName } from '../../../look/icon';
import { look as looks } from '../../../look/texts';
import { clearReport, report, type AuditFilter } from './report';
import { panel } from './texts';

type Headers = { 'Idempotency-Key': string };

interface ActionProps<Body, Result> {
  /** The name of the command, with its target. */
  name: string;
  send: (body: Body, headers: Headers) => Promise<unknown>;
  /** The button on the page. */
  label: string;
  /** Tells buttons of one label apart, for screen readers. */
  labelOf?: string;
  icon?: IconName;
  look?: 'main' | 'quiet' | 'danger';
  /** The heading of the dialog: what, and to whom. */
  title: string;
  /** What the command does. */
  text: ComponentChildren;
  /** The button that sends. */
  confirm: string;
  /** Under the field of the reason: who reads it. The command has a reason if this is set. */
  reasonHint?: string;
  /** The body to send. Undefined: the form is incomplete. */
  body: (reason: string) => Body | undefined;
  /** The message about the change. */
  done: (result: Result | undefined, body: Body) => string;
  audit?: AuditFilter;
  /** Called with the outcome, before the message is shown. */
  onDone?: (result: Result | undefined) => void;
  children?: ComponentChildren;
}

const LONGEST_REASON = 200;

export function Action<Body, Result = unknown>(props: ActionProps<Body, Result>) {
  const { label, labelOf, icon, look = 'quiet', title, text, confirm, reasonHint, body, done, audit } = props;
  const t = useTexts(panel);
  const l = useTexts(looks);
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState('');
  const command = useCommand<Body, Result>({
    name: props.name,
    send: props.send,
    onDone: (result, sent) => {
      setIsOpen(false);
      setReason('');
      props.onDone?.(result);
      report(done(result, sent), audit);
    },
  });
  const { step } = command.state;
  const isUndone = !command.isBusy && step !== 'idle' && step !== 'done';
  useEffect(() => {
    // A command of the time before a reload continues, and the dialog shows its state. A command that goes on after the dialog
    // was closed opens it again if it takes no effect.
    if (command.isBusy || isUndone) setIsOpen(true);
  }, [command.isBusy, isUndone]);
  useEffect(() => {
    // The page is not up to date, or the command would not have been offered.
    if (step === 'refused') void queries.invalidateQueries();
  }, [step]);
  const close = (): void => {
    setIsOpen(false);
    command.reset();
  };
  return (
    <>
      <Button
        look={look}
        small
        onClick={() => {
          clearReport();
          setIsOpen(true);
        }}
        {...(icon && { icon })}
        {...(labelOf !== undefined && { 'aria-label': `${label}: ${labelOf}` })}
      >
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close}>
        <CommandForm
          command={command}
          body={() => body(reason.trim())}
          button={confirm}
          look={look === 'danger' ? 'danger' : 'main'}
          after={
            <>
              <Button look="quiet" onClick={close}>
                {command.isBusy ? l.close : t.cancel}
              </Button>
              {command.isBusy && <span class="faint">{t.goesOn}</span>}
            </>
          }
        >
          <div class="stack">{typeof text === 'string' ? <p>{text}</p> : text}</div>
          {props.children}
          {reasonHint !== undefined && (
            <TextArea
              label={t.reason}
              hint={reasonHint}
              value={reason}
              onValue={setReason}
              required
              maxLength={LONGEST_REASON}
              rows={2}
              isOneLine
            />
          )}
        </CommandForm>
      </Dialog>
    </>
  );
}
