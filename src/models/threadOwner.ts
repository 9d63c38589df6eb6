import * as v from 'valibot';

import { arrayOf, node, number, objectOf, optionalId, part, type Schema } from './fields.ts';

/** The app that controls a conversation. */
export interface ThreadOwner {
  /** Absent unless it is your app, or your app is the default one. */
  readonly app_id: string | undefined;
  /** When its control ends, as the platform sends it: the unit is documented nowhere. */
  readonly expiration: number | undefined;
}

/** Reads the app that controls a conversation from a list of one, which is empty if no app does. */
export const threadOwnerSchema: Schema<ThreadOwner> = v.pipe(
  objectOf({
    data: arrayOf(node({ thread_owner: part(node({ app_id: optionalId, expiration: number })) })),
  }),
  v.transform(({ data }) => {
    const { app_id, expiration } = data[0]?.thread_owner ?? {};
    return { app_id, expiration };
  }),
);
