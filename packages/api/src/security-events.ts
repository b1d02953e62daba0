import { securityAlerts } from './call.ts'

/** Events about the ways into an account, beside the changes that its owner hears of by mail. */
export const securityEventKinds = [
  'login',
  'login-failed',
  'second-factor-failed',
  'logout',
  'sessions-ended',
  'access-token-removed',
  ...securityAlerts,
] as const
/** One thing that happened to an account. */
export type SecurityEventKind = (typeof securityEventKinds)[number]
