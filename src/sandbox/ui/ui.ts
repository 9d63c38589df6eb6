import type { Platform } from '../../core/platform.ts';
import type { Sandbox } from '../types.ts';
import type { SandboxDelivery } from '../webhooks/types.ts';
import type { World } from '../world.ts';

/** What the pages of a served sandbox show, and remember. */
export interface Ui {
  readonly sandbox: Sandbox;
  readonly world: World;
  /** The addresses of the server. */
  readonly platform: Platform;
  readonly url: string;
  /** What the last button did. */
  notice: string | undefined;
  /** Where webhooks were delivered to the last time. */
  target: string;
  delivered: readonly SandboxDelivery[] | undefined;
}
