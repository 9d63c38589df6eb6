import { editing } from '../auth/grants.ts';

// What kinds of endpoints of a Page have in common. They are called with its own token.

const ofPage = { hosts: ['graph'], tokens: ['page'] } as const;

export const publishing = { ...ofPage, scopes: ['pages_manage_posts'], tasks: ['CREATE_CONTENT'] } as const;

/** Reads what the Page published. */
export const readingOwn = {
  ...ofPage,
  scopes: ['pages_read_engagement'],
  tasks: ['CREATE_CONTENT'],
} as const;

/** Also reads what others wrote there. */
export const readingAll = {
  ...ofPage,
  scopes: ['pages_read_engagement', 'pages_read_user_content'],
  tasks: editing,
} as const;

export const moderating = { ...ofPage, scopes: ['pages_manage_engagement'], tasks: ['MODERATE'] } as const;
