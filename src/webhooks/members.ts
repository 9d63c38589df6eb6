import type { MessagingKeys, PageFields, PicsFields } from './events.ts';

type Events = PageFields & PicsFields & MessagingKeys;

/** The documented events, each with the text without which it is no such event. */
export const needs = /* @__PURE__ */ new Map<string, string>(
  Object.entries({
    feed: '',
    leadgen: 'leadgen_id',
    leadgen_update: 'leadgen_id',
    mention: '',
    ratings: '',
    comments: 'id',
    live_comments: 'id',
    mentions: '',
    story_insights: '',
    message: 'mid',
    reaction: 'mid',
    postback: '',
    referral: '',
    read: '',
    delivery: '',
    message_edit: 'mid',
    optin: '',
    account_linking: '',
    pass_thread_control: '',
    take_thread_control: '',
    request_thread_control: '',
    'policy-enforcement': '',
    business_integrity: '',
    message_template_status_update: '',
    agent_messages: '',
    agent_questions: '',
  } satisfies { readonly [TType in keyof Events]: Need<Events[TType]> }),
);

const list =
  'id mid name message_template_name reviewer_name sender_name username message_template_language updated_time type media_product_type reaction_type recommendation_type ref user_ref title ad_title text review_text action area authorization_code emoji event item link message metadata payload reaction reason source status url verb is_echo? is_self? is_deleted? is_unsupported? ai_generated? from. media. quick_reply. referral. reply_to. story.';

/**
 * The documented members of the data of all events, by their names: `''` is a text, `?` a flag, and a dot an object that has some
 * of these. A name means the same wherever it stands. What ends in `_id` is a text, too.
 */
export const members = /* @__PURE__ */ new Map<string, string>(
  list.split(' ').map((word) => [word.replace(/\W/, ''), word.replace(/\w+/, '')]),
);

type Values<TObject> = TObject[keyof TObject];

/** The text that is always there. */
type Need<TData> = [Always<TData>] extends [never] ? '' : Always<TData>;
type Always<TData> = Values<{
  [TName in keyof TData as string extends TName ? never : TName]-?: undefined extends TData[TName]
    ? never
    : TName;
}>;

/** How the documented members of data stand in the list; other members stay as they are. */
type Members<TData> = Values<{
  [TName in keyof TData as string extends TName ? never : TName]-?: Member<
    TName & string,
    NonNullable<TData[TName]>
  >;
}>;

type Member<TName extends string, TMember> = [TMember] extends [string]
  ? Exclude<TName, `${string}_id`>
  : [TMember] extends [boolean]
    ? `${TName}?`
    : [TMember] extends [number | string | readonly unknown[]]
      ? never
      : `${TName}.` | Members<TMember>;

type Words<TList, TBefore = never> = TList extends `${infer TWord} ${infer TRest}`
  ? Words<TRest, TBefore | TWord>
  : TBefore | TList;
type Difference<TOne, TOther> = Exclude<TOne, TOther> | Exclude<TOther, TOne>;
type Nothing<TWord extends never> = TWord;

/**
 * Fails to compile where the list lacks a documented member, or has one that no event has, and names it.
 * @compileTime
 */
export type Forgotten = Nothing<
  Difference<Values<{ [TType in keyof Events]: Members<Events[TType]> }>, Words<typeof list>>
>;
