import type { Route } from '../route.ts';
import { postRoutes } from './post.ts';
import { userRoutes } from './user.ts';

/** Everything that the page client calls below nodes. */
export const pageRoutes: readonly Route[] = [...userRoutes, ...postRoutes];
