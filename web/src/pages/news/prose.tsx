// The text of a post.

/**
 * Shows HTML of the API. It comes from an editor's Markdown: the API removes HTML from the Markdown, and sanitises the result with
 * an allow-list. So it is the only HTML that the site inserts as it is. Do not use this component for anything else.
 */
export function Prose({ html }: { html: string }) {
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
