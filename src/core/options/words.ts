import type { Rule } from './read.ts';

/**
 * Another word for options, in lower case and without `is_`; those that it may mean, best first; and whether it limits
 * what a function does, or adds to it: then it is never ignored, and the error can say what has its effect.
 */
export type Word = readonly [pattern: RegExp, options: readonly string[], limits?: true | string];

/**
 * The same rule for an option by which a function shows what it does, with the words that callers use for that. They stand
 * at rules, so that a bundle has only those of its functions; at the outermost one, such as `withWords(optional(text), …)`.
 */
export function withWords<TOutput>(rule: Rule<TOutput>, words: readonly Word[]): Rule<TOutput> {
  return Object.assign({ ...rule }, { words });
}

const hiding: Word = [/^(?:(?:un)?hid(?:e|den)|private|privacy|visibility)$/, ['hidden', 'published'], true];

/** Of functions that hide something. */
export const hidingWords: readonly Word[] = [hiding];

/** Of functions that publish or change a text: words for the text, the images, the time and the key. */
export const contentWords: readonly Word[] = [
  [/^(?:message|text|caption|description)$/, ['message', 'text', 'caption', 'description']],
  // Not `picture`: profiles have one, and may be spread into the options.
  [/^(?:photo|image)(?:url)?$/, ['attachmentUrl', 'photoUrl', 'photo', 'imageUrl', 'attachment']],
  [/^url$/, ['photoUrl', 'videoUrl', 'imageUrl', 'attachmentUrl', 'photo', 'video', 'link']],
  [/^(?:(?:photo|image|media)(?:url)?s|media)$/, ['photos', 'imageUrls', 'items', 'images']],
  [/^alt(?:text)?$/, ['altText'], true],
  [/^(?:idempotency)?key$/, ['idempotencyKey']],
  [/^draft$/, ['draft', 'published', 'scheduledAt'], true],
  [/^(?:un)?publish(?:ed)?$/, ['published', 'draft', 'scheduledAt'], true],
  [/^(?:schedule|(?:publish|post|send)(?:at|on|time|date)|when$|at$)/, ['scheduledAt'], true],
  hiding,
  [/^(?:ai(?:generated|label|made)|madewithai)$/, ['isAiGenerated'], true],
  [/^(?:polls?|commentprompt|calltoaction|quickrepl(?:y|ies)|replyto|humanagent)$/, [], true],
  [/^(?:(?:feed)?targeting|audience|trial|sharetofeed|expir(?:es?at|ation)|backdatedtime)$/, [], true],
  [
    /^(?:paidpartnership|sponsorids|collaborators|(?:user|product)tags|(?:location|place|persona)id)$/,
    [],
    true,
  ],
  [/^tags$/, ['userTags'], true],
  [/^(?:nostory|disablecomments)$/, [], true],
  [/^firstcomment$/, [], 'is not an option: publishComment adds one to what is out'],
  [/^(?:thumbnail|thumboffset(?:ms)?|cover(?:url)?)$/, [], true],
];

/** Of functions that list. */
export const listWords: readonly Word[] = [
  [/^(?:since|until|(?:posted)?(?:after|before)|offset|order|mediatype)$/, [], true],
  [/^filter$/, ['replies'], true],
];

/** Of all calls: what their context has. */
export const callWords: readonly Word[] = [
  [
    /^(?:timeout(?:ms)?|deadlinems|retry|lane)$/,
    [],
    'is not an option of a call: withOptions gives it to a context',
  ],
];

/** Of functions that begin a login. */
export const loginWords: readonly Word[] = [
  [
    /^(?:auth(?:type|nonce)|(?:force)?re(?:auth(?:enticate|orize)?|request)|prompt)$/,
    ['authType', 'forceReauth'],
    true,
  ],
];
