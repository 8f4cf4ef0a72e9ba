// What the text of a post looks like.

import { useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { Prose } from '../../news/prose';
import { news } from './texts';

/** Only the API turns Markdown into HTML. It has that of the stored text. */
export function Preview({ storedHtml }: { body: string; storedHtml: string | undefined }) {
  const t = useTexts(news);
  return (
    <div class="preview">{storedHtml === undefined ? <Notice>{t.noPreview}</Notice> : <Prose html={storedHtml} />}</div>
  );
}
