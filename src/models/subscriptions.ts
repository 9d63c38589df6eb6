import * as v from 'valibot';

import type { Schema } from './fields.ts';
import * as s from './fields.ts';

/** An app that receives events, with the fields that it is subscribed to. */
export interface SubscribedApp {
  /** Empty if the platform names no app. */
  readonly id: string;
  readonly fields: readonly string[];
}

/** Reads the names of fields. If it has a version, a field arrives as an object. */
export const subscribedFields = s.arrayOf(
  v.pipe(
    v.unknown(),
    v.transform((field) => (s.isObject(field) ? field['name'] : field)),
    s.string,
  ),
);

/** Reads an entry of a list of subscribed apps. An app without fields may lack the list. */
export const subscribedAppSchema: Schema<SubscribedApp> = s.objectTo(
  {
    id: v.optional(s.idSchema),
    app_id: v.optional(s.idSchema),
    subscribed_fields: v.optional(subscribedFields, []),
  },
  ({ id, app_id, subscribed_fields }) => ({
    id: app_id ?? id ?? '',
    fields: subscribed_fields,
  }),
);

/** Reads a whole list. The photo-sharing graph may send the app's entry alone, without a list. */
export const subscribedAppsSchema: Schema<readonly SubscribedApp[]> = v.pipe(
  v.unknown(),
  v.transform((body) =>
    s.isObject(body) && Array.isArray(body['subscribed_fields']) ? { data: [body] } : body,
  ),
  s.objectOf({ data: s.arrayOf(subscribedAppSchema) }),
  v.transform(({ data }) => data),
);

/** The fields that an app is subscribed to; `undefined` if its entry lists none. */
export function subscribedFieldsOf(
  apps: readonly SubscribedApp[],
  appId: string,
): readonly string[] | undefined {
  const entries = apps.filter((app) => app.id === appId);
  const fields = entries.flatMap((app) => app.fields);
  return entries.length > 0 && fields.length === 0 ? undefined : fields;
}
