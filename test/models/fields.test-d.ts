import { expectTypeOf, test } from 'vitest';

import type {
  Conversation,
  Media,
  Message,
  PageComment,
  PagePost,
  PicsComment,
  Raw,
  Story,
} from '../../src/models/index.ts';

type Models = PagePost | PageComment | PicsComment | Media | Message | Conversation | Story;

test('a field that is not documented is in raw only', () => {
  const post = {} as PagePost;
  const comment = {} as PageComment;
  const media = {} as Media;
  // @ts-expect-error a typo
  void post.mesage;
  // @ts-expect-error a typo
  void comment.mesage;
  // @ts-expect-error a typo
  void media.captoin;

  expectTypeOf(post.message).toEqualTypeOf<string | undefined>();
  expectTypeOf(media.caption).toEqualTypeOf<string | undefined>();
  expectTypeOf<Models['raw']>().toEqualTypeOf<Raw>();
  expectTypeOf(post.raw['attachments']).toBeUnknown();
});
