/** The small part of Cloudflare's platform that is used: `wrangler types` writes all of it for your app. */
declare module 'cloudflare:workers' {
  import type { DurableObjectStorage } from 'pagepics/journal';

  /** The bindings of the Worker. */
  export const env: unknown;

  export abstract class DurableObject<TEnvironment = unknown> {
    constructor(ctx: DurableObjectState, env: TEnvironment);
    readonly ctx: DurableObjectState;
    readonly env: TEnvironment;
  }

  export abstract class WorkflowEntrypoint<TEnvironment = unknown, TParams = unknown> {
    readonly env: TEnvironment;
    abstract run(event: WorkflowEvent<TParams>, step: WorkflowStep): Promise<unknown>;
  }

  export interface DurableObjectState {
    readonly storage: DurableObjectStorage;
  }

  export interface WorkflowEvent<TParams> {
    readonly instanceId: string;
    readonly payload: TParams;
  }

  export interface WorkflowStep {
    do<T>(name: string, work: (context: StepContext) => Promise<T>): Promise<T>;
    do<T>(name: string, options: StepOptions, work: (context: StepContext) => Promise<T>): Promise<T>;
    /** Milliseconds, or such as `1 second`. */
    sleep(name: string, duration: number | string): Promise<void>;
  }

  export interface StepContext {
    /** 1 for the first one. */
    readonly attempt: number;
  }

  export interface StepOptions {
    readonly retries: {
      readonly limit: number;
      readonly delay: string;
      readonly backoff?: 'constant' | 'linear' | 'exponential';
    };
  }
}

declare module 'cloudflare:workflows' {
  export class NonRetryableError extends Error {
    constructor(message: string, name?: string);
  }
}
