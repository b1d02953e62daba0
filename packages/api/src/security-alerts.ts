/** What the owner of an account is told by mail, because it changes how the account is opened. */
export const securityAlerts = [
  'email',
  'password',
  'second-factor-on',
  'second-factor-off',
  'recovery-codes',
  'passkey-added',
  'passkey-removed',
  'identity-bound',
  'binding-removed',
  'access-token',
] as const
export type SecurityAlert = (typeof securityAlerts)[number]
