import type { Route } from '../route.ts';

/** Everything that the pics client calls, in both modes. The engine mounts what stands here. */
export const picsRoutes: readonly Route[] = [];
