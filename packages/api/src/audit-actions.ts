/** Kinds of records that administrators change. */
export const auditTargetKinds = [
  'user',
  'option',
  'channel',
  'tag',
  'redemption',
  'token',
  'top-up-order',
  'log',
  'gateway',
] as const
export type AuditTargetKind = (typeof auditTargetKinds)[number]

/** The actor of what the gateway decides by itself, beside the id 0: an account may have the same name. */
export const gatewayActorName = 'tollgate'

/** Every administrative action in the audit log, as `<kind of target>.<verb>`. */
export const auditActions = [
  'user.create',
  'user.update',
  'user.promote',
  'user.demote',
  'user.enable',
  'user.disable',
  'user.delete',
  'user.reset-second-factor',
  'user.reset-root',
  'option.update',
  'option.reset-model-ratio',
  'option.rotate-secret',
  'channel.create',
  'channel.update',
  'channel.enable',
  'channel.disable',
  'channel.auto-enable',
  'channel.auto-disable',
  'channel.auto-enable-key',
  'channel.auto-disable-key',
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
  'log.replay',
  'gateway.upgrade',
] as const
export type AuditAction = (typeof auditActions)[number]
