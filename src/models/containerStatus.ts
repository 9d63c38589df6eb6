import * as v from 'valibot';

/** The state of a media container. */
export interface ContainerStatus {
  readonly id: string;
  /** `IN_PROGRESS`, `FINISHED`, `PUBLISHED`, `ERROR` or `EXPIRED`; `undefined` where the platform does not say. */
  readonly status_code: string | undefined;
  /** The state in the platform's words, with the reason for an `ERROR`. */
  readonly status: string | undefined;
}

/** The state of a container that a call waits for. */
export interface ContainerStatusEvent {
  readonly containerId: string;
  readonly status_code: string | undefined;
  readonly status: string | undefined;
  /** Milliseconds since the wait began. */
  readonly elapsedMs: number;
}

/** Reads the state of a container. Its id is not read, since the caller knows it. */
export const containerStatusSchema: v.GenericSchema<unknown, Omit<ContainerStatus, 'id'>> = v.pipe(
  v.looseObject({}),
  // An answer of the node has one of these; without any, it is of something else.
  v.forward(
    v.check((answer) =>
      ['id', 'status_code', 'status', 'video_status'].some((name) => Object.hasOwn(answer, name)),
    ),
    ['status_code'],
  ),
  v.transform(({ status_code, status }) => ({
    status_code: toText(status_code) ?? codeIn(toText(status)),
    status: toText(status),
  })),
);

/** The reason of an error is a text or a bare subcode. */
function toText(value: unknown): string | undefined {
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
}

/** The platform sometimes leaves the code empty and only gives the text: `In Progress: Media is still …`. */
function codeIn(status: string | undefined): string | undefined {
  return /^(?:in.progress|finished|published|error|expired)\b/i
    .exec(status ?? '')?.[0]
    .toUpperCase()
    .replace(/\W/, '_');
}
