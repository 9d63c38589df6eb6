export { checkConnection, type CheckConnectionOptions } from './checkConnection.ts';
export type { ConnectionReport, FunctionReport, Reason, ReasonCode } from './report.ts';
export { type ConnectionClient, type Requirement, requirements, scopesFor } from './requirements.ts';
