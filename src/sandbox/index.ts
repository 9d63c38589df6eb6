export { createSandbox } from './createSandbox.ts';
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
  SandboxPageContact,
  SandboxUpload,
  TokenDeath,
  Tuning,
  TuningPatch,
} from './types.ts';
export { serveSandbox, type ServedSandbox, type ServeOptions } from './serve.ts';
export type {
  DeliverOptions,
  DeliveryTarget,
  ReceivedMessage,
  SandboxAct,
  SandboxDelivery,
} from './webhooks/types.ts';
