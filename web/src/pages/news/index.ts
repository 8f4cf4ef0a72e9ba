import { PostPage } from './post';

export const pages = { post: PostPage };
