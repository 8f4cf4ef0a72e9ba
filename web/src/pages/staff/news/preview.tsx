// What the text of a post will look like. Only the API turns Markdown into HTML.

import { useQuery } from '@tanstack/preact-query';
import { useTexts } from '../../../language/language';
import { Loaded } from '../../../look/query';
import { newsPreview, type PostPreview } from '../../../sdk';
import { Prose } from '../../news/prose';
import { news } from './texts';

export function Preview({ body }: { body: string }) {
  const t = useTexts(news);
  // It stores nothing, so it is a read, although its method is POST.
  const preview = useQuery<PostPreview, unknown>({
    queryKey: ['news-preview', body],
    queryFn: async ({ signal }) => (await newsPreview({ body: { body }, signal, throwOnError: true })).data,
    enabled: body !== '',
  });
  return (
    <div class="preview">
      {body === '' ? (
        <p class="faint">{t.noText}</p>
      ) : (
        <Loaded query={preview}>{({ body_html }) => <Prose html={body_html} />}</Loaded>
      )}
    </div>
  );
}
