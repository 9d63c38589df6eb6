export { createSandbox } from './sandbox.ts';
export type {
  Effect,
  FaultAction,
  FaultError,
  FaultMatch,
  FaultRule,
  HostKind,
  IssueTokenOptions,
  RequestLog,
  Sandbox,
  SandboxAccount,
  SandboxContact,
  SandboxOptions,
  SandboxPage,
  SandboxUpload,
  TokenDeath,
  Tuning,
  TuningPatch,
} from './types.ts';
export { serveSandbox, type ServedSandbox, type ServeOptions } from './serve.ts';
export type { DeliverOptions, DeliveryTarget, SandboxDelivery } from './webhooks/deliver.ts';
export type { SandboxAct } from './webhooks/happen.ts';
