import type { Tuning } from './types.ts';

/** By default, the platform is done at once and never fails. */
export const defaultTuning: Tuning = {
  containers: { processingMs: 0, fail: undefined, notReadyOnPublish: 0 },
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
  batch: { finishes: undefined, lands: false },
  metrics: { retired: [] },
  writes: { landAfterMs: 0 },
  pics: { quotaTotal: 100, followers: 1280, wrapped: false, scopedParticipants: false, retiredMetrics: [] },
};
