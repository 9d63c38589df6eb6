import { isObject } from './json.ts';
import type { Tuning, TuningPatch } from './types.ts';

/** By default, the platform finishes at once and never fails. */
export const defaultTuning: Tuning = {
  containers: { processingMs: 0, fail: undefined, codeless: false, silent: false, notReadyOnPublish: 0 },
  videos: {
    settleMs: 0,
    processingMs: 0,
    failAt: undefined,
    text: 'The video could not be processed.',
    lowQuality: false,
    variantSpelling: false,
    hostedBytes: 1_000_000,
    partBytes: 1_048_576,
    hostedFailure: undefined,
  },
  lists: { lagMs: 0, sparse: false, mostPerPage: undefined },
  posts: { refuseDuplicatesForMs: 0 },
  batch: { finishes: undefined, lands: false },
  metrics: { retired: [] },
  writes: { landAfterMs: 0 },
  pics: {
    quotaTotal: 100,
    followers: 1280,
    wrapped: false,
    scopedParticipants: false,
    retiredMetrics: [],
    linked: true,
    barred: false,
  },
};

type Part = Readonly<Record<string, unknown>>;

/** The tuning with a patch. Unknown members are refused, so that no test passes because of a typo. */
export function tuned(tuning: Tuning, patch: TuningPatch): Tuning {
  if (!isObject(patch)) throw new Error('what is given to tune must be an object');
  const parts = Object.entries(defaultTuning as unknown as Readonly<Record<string, Part>>);
  const known = parts.map(([name]) => name);
  for (const [name, part] of Object.entries(patch)) {
    const defaults = parts.find(([one]) => one === name)?.[1];
    if (defaults === undefined) throw new Error(`there is no part ${name} to tune: ${known.join(', ')}`);
    if (part !== undefined) checkPart(name, part, defaults);
  }
  const changed = Object.entries(tuning).map(([name, part]) => [
    name,
    { ...part, ...patch[name as keyof Tuning] },
  ]);
  return Object.fromEntries(changed) as Tuning;
}

function checkPart(name: string, part: unknown, defaults: Part): void {
  if (!isObject(part)) throw new Error(`${name} must be an object`);
  for (const [member, value] of Object.entries(part)) {
    if (!Object.hasOwn(defaults, member)) {
      throw new Error(`there is no ${name}.${member} to tune: ${Object.keys(defaults).join(', ')}`);
    }
    // A setting that is off by default may be of any type.
    const usual = defaults[member];
    if (usual === undefined) continue;
    if (typeof value !== typeof usual || Array.isArray(value) !== Array.isArray(usual)) {
      throw new Error(`${name}.${member} must be ${Array.isArray(usual) ? 'a list' : `a ${typeof usual}`}`);
    }
  }
}
