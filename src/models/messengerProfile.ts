import * as v from 'valibot';

import { ConfigurationError } from '../core/errors.ts';
import { fromCaller } from '../core/options/given.ts';
import type { Raw, Schema } from './fields.ts';
import * as s from './fields.ts';

/** A question that a person can tap to start a conversation. */
export interface IceBreaker {
  readonly question: string;
  /** Returned in the webhook `messaging_postbacks`. */
  readonly payload: string;
}

/** The questions of one language. */
export interface IceBreakers {
  /** Such as `en_US`, or `default` for all languages that have no questions of their own. */
  readonly locale: string;
  /** 1 to 4. */
  readonly call_to_actions: readonly IceBreaker[];
}

/** An entry of a menu: a `postback` has a `payload`, a `web_url` has a `url`. */
export interface MenuItem {
  /** `postback` or `web_url`. */
  readonly type: string;
  /** At most 30 characters. */
  readonly title: string;
  /** Returned in the webhook `messaging_postbacks`. At most 1000 characters. */
  readonly payload?: string | undefined;
  readonly url?: string | undefined;
  /** How much of the screen the page covers: `compact`, `tall` or `full`. Pages only. */
  readonly webview_height_ratio?: string | undefined;
}

/** The menu of one language. */
export interface PersistentMenu {
  /** Such as `en_US`, or `default` for all languages that have no menu of their own. */
  readonly locale: string;
  /** At most 20; the platform advises 5. */
  readonly call_to_actions?: readonly MenuItem[] | undefined;
  /** Whether people can only tap, and not write. Pages only. */
  readonly composer_input_disabled?: boolean | undefined;
}

/** The greeting of one language, before a conversation begins. */
export interface Greeting {
  /** Such as `en_US`, or `default` for all languages that have no greeting of their own. */
  readonly locale: string;
  /** At most 160 characters. */
  readonly text: string;
}

/**
 * The messenger profile of an inbox: how it greets and guides people. Properties that were not requested, or are not
 * set, are absent.
 */
export interface MessengerProfile {
  /** Pages only. */
  readonly greeting?: readonly Greeting[] | undefined;
  /** Returned when a person taps Get Started. Pages only. */
  readonly get_started?: { readonly payload: string } | undefined;
  /** By language. Those that were set without a language are under `default`. */
  readonly ice_breakers?: readonly IceBreakers[] | undefined;
  /** By language. */
  readonly persistent_menu?: readonly PersistentMenu[] | undefined;
  /** Pages only. */
  readonly whitelisted_domains?: readonly string[] | undefined;
  /** Pages only. */
  readonly account_linking_url?: string | undefined;
  /** The properties as the platform sent them, by name. Not enumerable. */
  readonly raw: Raw;
}

const iceBreaker = s.node({ question: s.idSchema, payload: s.idSchema });

const menuItem = s.node({
  type: s.idSchema,
  title: s.idSchema,
  payload: s.text,
  url: s.text,
  webview_height_ratio: s.text,
});

const properties = s.node({
  greeting: s.listOf(s.node({ locale: s.idSchema, text: s.idSchema })),
  get_started: s.optionalObject({ payload: s.idSchema }),
  ice_breakers: s.listOf(s.node({ locale: s.idSchema, call_to_actions: s.arrayOf(s.part(iceBreaker)) })),
  persistent_menu: s.listOf(
    s.node({ locale: s.idSchema, call_to_actions: s.listOf(menuItem), composer_input_disabled: s.flag }),
  ),
  whitelisted_domains: s.texts,
  account_linking_url: s.text,
});

/**
 * Reads a {@link MessengerProfile}; `asked` holds the requested properties. The platform lists the languages of a
 * property with or without its name, and ice breakers that were set in the older form without languages. Throws a
 * ConfigurationError for what is no list.
 */
export function messengerProfileSchema(asked: readonly string[]): Schema<MessengerProfile> {
  const isList = fromCaller('asked', () => Array.isArray(asked));
  if (!isList) throw new ConfigurationError('asked must be a list of names', 'asked');
  return v.pipe(
    s.objectOf({ data: s.arrayOf(s.objectOf({})) }),
    v.transform(({ data }): unknown => gather(data, asked)),
    properties,
  );
}

function gather(data: readonly Raw[], asked: readonly string[]): Raw {
  const found: Record<string, unknown> = {};
  const languages: Record<string, Raw[]> = {};
  for (const entry of data) {
    if (!Object.hasOwn(entry, 'locale')) Object.assign(found, entry);
    else {
      const guess = asksQuestions(entry['call_to_actions']) ? 'ice_breakers' : 'persistent_menu';
      (languages[(asked.length === 1 && asked[0]) || guess] ??= []).push(entry);
    }
  }
  const { ice_breakers: questions } = found;
  if (asksQuestions(questions)) found['ice_breakers'] = [{ locale: 'default', call_to_actions: questions }];
  return { ...found, ...languages };
}

function asksQuestions(actions: unknown): boolean {
  return Array.isArray(actions) && actions.some((action) => Object.hasOwn(Object(action), 'question'));
}
