/** Kinds of records that administrators change. */
export const auditTargetKinds = [
  'user',
  'invitation',
  'option',
  'group',
  'channel',
  'tag',
  'redemption',
  'token',
  'top-up-order',
  'model',
  'log',
  'correction',
  'incident',
  'status-incident',
  'gateway',
] as const
export type AuditTargetKind = (typeof auditTargetKinds)[number]

/** The actor of what the gateway decides by itself, beside the id 0: an account may have the same name. */
export const gatewayActorName = 'tollgate'

/** Every administrative action in the audit log, as `<kind of target>.<verb>`. */
export const auditActions = [
  'user.create',
  'user.update',
  'user.update-many',
  'user.take-back-many',
  'user.promote',
  'user.demote',
  'user.enable',
  'user.disable',
  'user.delete',
  'user.reset-second-factor',
  'user.reset-root',
  'user.set-parts',
  'user.pass-root',
  'user.restore',
  'user.erase',
  'user.export',
  'user.merge',
  'invitation.create',
  'invitation.revoke',
  'invitation.accept',
  'user.view-start',
  'user.view-end',
  'option.update',
  'option.reset-model-ratio',
  'option.rotate-secret',
  'option.reset-secret',
  'group.create',
  'group.update',
  'group.rename',
  'group.remove',
  'group.move',
  'channel.create',
  'channel.update',
  'channel.enable',
  'channel.disable',
  'channel.auto-enable',
  'channel.auto-disable',
  'channel.auto-enable-key',
  'channel.auto-disable-key',
  'channel.schedule',
  'channel.cancel-schedule',
  'channel.drain',
  'channel.end-drain',
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
  'token.freeze',
  'token.unfreeze',
  'token.rotate',
  'token.end-former-keys',
  'top-up-order.complete',
  'top-up-order.refund',
  'top-up-order.cancel',
  'top-up-order.export',
  'top-up-order.refuse-payment',
  'model.rename',
  'model.price',
  'log.clear',
  'log.export',
  'log.export-spend',
  'log.export-statement',
  'log.export-security-events',
  'log.replay',
  'log.goodwill',
  'log.take-goodwill-back',
  'log.share',
  'log.unshare',
  'correction.apply',
  'correction.take-back',
  'incident.accept',
  'incident.wake',
  'status-incident.publish',
  'status-incident.update',
  'status-incident.unpublish',
  'gateway.upgrade',
  'gateway.export',
  'gateway.import',
] as const
export type AuditAction = (typeof auditActions)[number]

/** Actions that switch a channel, each of which decides anew; the end of a drain by itself leaves what the drain began. */
const channelSwitches = [
  'channel.enable',
  'channel.disable',
  'channel.drain',
  'channel.auto-enable',
  'channel.auto-disable',
] as const satisfies readonly AuditAction[]

/**
 * Actions that are taken back from the audit log, each once, with those that end this when they follow on the same target: the state
 * that they leave is theirs, also where it looks the same. Where none is named, the state itself is compared.
 */
export const revertibleActions = {
  'option.update': [],
  'option.reset-model-ratio': [],
  'model.price': [],
  'channel.update': [],
  'channel.enable': channelSwitches,
  'channel.disable': channelSwitches,
  'channel.drain': channelSwitches,
  'channel.end-drain': channelSwitches,
  'channel.schedule': [],
  'channel.cancel-schedule': [],
  'group.create': ['group.create', 'group.rename', 'group.remove'],
  'group.update': [],
  'group.rename': [],
  'group.remove': ['group.create', 'group.remove'],
  'user.update-many': [],
  'token.freeze': ['token.freeze', 'token.unfreeze'],
  'top-up-order.refund': [],
  'log.goodwill': ['log.goodwill', 'log.take-goodwill-back'],
  'status-incident.publish': ['status-incident.publish', 'status-incident.unpublish'],
  'status-incident.update': [],
  'status-incident.unpublish': ['status-incident.publish', 'status-incident.unpublish'],
} as const satisfies { readonly [Action in AuditAction]?: readonly AuditAction[] }
export type RevertibleAction = keyof typeof revertibleActions

/**
 * Questions before a revert: each is that of the same change by hand.
 * - `option`, `price`, `channel`, `group`, `new-group`: whoever asks `stops` with the record hears what stops or is charged otherwise.
 * - `users`: the revert itself refuses until what it does is confirmed.
 * - `nothing`: it charges nobody otherwise, and takes nothing out of service at once.
 */
export type RevertQuestion = 'option' | 'price' | 'channel' | 'group' | 'new-group' | 'users' | 'nothing'

/** The question of each act: gateway and console read it here. */
export const revertQuestions = {
  'option.update': 'option',
  'option.reset-model-ratio': 'option',
  'model.price': 'price',
  'channel.update': 'channel',
  'channel.enable': 'channel',
  'channel.disable': 'channel',
  'channel.drain': 'channel',
  'channel.end-drain': 'channel',
  'channel.schedule': 'nothing',
  'channel.cancel-schedule': 'nothing',
  'group.create': 'new-group',
  'group.update': 'group',
  // Its members go with it, and so does its ratio.
  'group.rename': 'nothing',
  'group.remove': 'group',
  'user.update-many': 'users',
  'token.freeze': 'nothing',
  'top-up-order.refund': 'nothing',
  'log.goodwill': 'nothing',
  'status-incident.publish': 'nothing',
  'status-incident.update': 'nothing',
  'status-incident.unpublish': 'nothing',
} as const satisfies Record<RevertibleAction, RevertQuestion>

/** Decides whether an action, of any version of the program, is one that can be taken back. */
export function isRevertible(action: string): action is RevertibleAction {
  return Object.hasOwn(revertibleActions, action)
}
