import { openSandbox } from './sandbox.ts';
import type { Sandbox, SandboxOptions } from './types.ts';

export type {
  AddAccountOptions,
  AddCommentOptions,
  AddedAccount,
  AddLeadOptions,
  AddMediaOptions,
  AddPageOptions,
  AddPostOptions,
  Decision,
  Effect,
  EffectKind,
  FaultAction,
  FaultError,
  FaultMatch,
  FaultRule,
  HostKind,
  IssueTokenOptions,
  QuotaKind,
  RequestLog,
  Sandbox,
  SandboxAccount,
  SandboxContact,
  SandboxOptions,
  SandboxPage,
  SandboxPageContact,
  SandboxQuota,
  SandboxQuotaOptions,
  SandboxQuotas,
  SandboxUpload,
  SandboxUser,
  ScenarioName,
  TokenDeath,
  Tuning,
  TuningPatch,
} from './types.ts';
export {
  sandboxFixtures,
  withSandbox,
  type SandboxAccess,
  type SandboxFixtures,
  type SandboxTest,
} from './testing.ts';
export {
  sandboxMatchers,
  type ExpectedPublished,
  type PublishedKind,
  type SandboxMatchers,
} from './testing.ts';
export { sandboxHandlers, type HandlerMaker, type HandlerOptions } from './testing.ts';
export { serveSandbox, type ServedSandbox, type ServeOptions } from './serve.ts';
export type {
  CallBackOptions,
  DeliverOptions,
  DeliveryTarget,
  ReceivedMessage,
  SandboxAct,
  SandboxCallback,
  SandboxDelivery,
} from './types.ts';

/** Creates a sandbox: the platform, emulated in memory, for tests and trials. Nothing leaves the process. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return openSandbox(options).sandbox;
}
