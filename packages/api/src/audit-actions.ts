/** What kinds of records administrators act on. */
export const auditTargetKinds = [
  'user',
  'option',
  'channel',
  'tag',
  'redemption',
  'token',
  'top-up-order',
  'log',
] as const
/** The kind of the object that an administrative act changes. */
export type AuditTargetKind = (typeof auditTargetKinds)[number]

/** Every administrative act that is written to the audit log, as `<kind of target>.<verb>`. */
export const auditActions = [
  'user.create',
  'user.update',
  'user.promote',
  'user.demote',
  'user.enable',
  'user.disable',
  'user.delete',
  'user.reset-second-factor',
  'option.update',
  'option.reset-model-ratio',
  'channel.create',
  'channel.update',
  'channel.enable',
  'channel.disable',
  'channel.delete',
  'channel.test',
  'channel.test-all',
  'channel.cancel-test-all',
  'channel.update-balance',
  'channel.update-all-balances',
  'channel.cancel-update-all-balances',
  'channel.reveal-keys',
  'channel.fix',
  'tag.update',
  'tag.enable',
  'tag.disable',
  'redemption.create',
  'redemption.update',
  'redemption.enable',
  'redemption.disable',
  'redemption.delete',
  'token.reveal-key',
  'top-up-order.complete',
  'log.clear',
  'log.export',
] as const
/** Name of an administrative act, as the audit log stores it and filters by it. */
export type AuditAction = (typeof auditActions)[number]
