import * as v from 'valibot';

import { idSchema, listOf } from './fields.ts';

/** An app that receives events, with the fields that it is subscribed to. */
export interface SubscribedApp {
  /** Empty where the platform names no app. */
  readonly id: string;
  readonly fields: readonly string[];
}

const id = v.nullish(idSchema);
// With a version, a field comes as an object.
const fields = listOf(v.union([v.string(), v.looseObject({ name: v.string() })]));

/** Reads an entry of a list of subscribed apps. An app without fields may lack the list. */
export const subscribedAppSchema: v.GenericSchema<unknown, SubscribedApp> = v.pipe(
  v.looseObject({ id, app_id: id, subscribed_fields: v.nullish(fields, []) }),
  v.transform(({ id, app_id, subscribed_fields }) => ({
    id: app_id ?? id ?? '',
    fields: subscribed_fields.map((field) => (typeof field === 'string' ? field : field.name)),
  })),
);

/** Reads a whole list. The photo-sharing graph may send the app's own entry bare. */
export const subscribedAppsSchema: v.GenericSchema<unknown, readonly SubscribedApp[]> = v.pipe(
  v.unknown(),
  v.transform((body) =>
    Array.isArray((body as { readonly subscribed_fields?: unknown } | null)?.subscribed_fields)
      ? { data: [body] }
      : body,
  ),
  v.looseObject({ data: listOf(subscribedAppSchema) }),
  v.transform(({ data }) => data),
);

/** The fields that an app is subscribed to. */
export function fieldsOf(apps: readonly SubscribedApp[], appId: string): readonly string[] {
  return apps.filter((app) => app.id === appId).flatMap((app) => app.fields);
}
