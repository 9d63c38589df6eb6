export {
  checkConnection,
  type CheckConnectionOptions,
  type ConnectionReport,
  type FunctionReport,
} from './checkConnection.ts';
export type { Reason, ReasonCode } from './facts.ts';
export { type ConnectionClient, type Requirement, requirements, scopesFor } from './requirements.ts';
