// What a page says that was opened without the token of a mail.

import type { ComponentChildren } from 'preact';
import { useTexts } from '../../language/language';
import { Notice } from '../../look/controls';
import { mailLinks } from './texts';

/** `children` is another way, such as a link that asks for a new mail. */
export function MissingToken({ children }: { children?: ComponentChildren }) {
  const t = useTexts(mailLinks);
  return (
    <section class="sheet">
      <Notice look="warning">{t.incomplete}</Notice>
      <p>{t.openAgain}</p>
      <div class="row">{children}</div>
    </section>
  );
}
