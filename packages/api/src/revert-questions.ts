import type { RevertibleAction } from './audit-actions.ts'

/**
 * Questions before a revert: each is that of the same change by hand.
 * - `option`, `price`, `channel`, `group`, `new-group`: whoever asks `stops` with the record hears what stops or is charged otherwise.
 * - `users`: the revert itself refuses until what it does is confirmed.
 * - `nothing`: it charges nobody otherwise, and takes nothing out of service at once.
 */
export type RevertQuestion = 'option' | 'price' | 'channel' | 'group' | 'new-group' | 'users' | 'nothing'

/** The question of each act. The console has its own table, which loads with one page, and a test compares them. */
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
