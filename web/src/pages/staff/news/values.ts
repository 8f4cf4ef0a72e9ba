// The fields of a post that an editor changes.

import type { Post } from '../../../sdk';

export interface PostValues {
  title: string;
  summary: string;
  body: string;
  pinned: boolean;
  hidden: boolean;
  /** An instant. Empty: a new post is published when it is saved. */
  published_at: string;
}

export const NEW_POST: PostValues = {
  title: '',
  summary: '',
  body: '',
  pinned: false,
  hidden: false,
  published_at: '',
};

export function valuesOf(post: Post): PostValues {
  const { title, summary, body, pinned, hidden, published_at } = post;
  return { title, summary, body, pinned, hidden, published_at };
}
