/**
 * Parties at fault for the failure of a call, or of an attempt at one channel:
 * - `upstream`: the channel refused, broke off or did not respond
 * - `caller`: the request, the key or its rights, a model of other groups, or an endpoint that a model does not have
 * - `balance`: the user's or the key's
 * - `limit`: a limit on the user, the key, the group, the model or every channel that could serve it
 * - `no_channel`: none has the model, or all of the caller's group that have it are out of service
 * - `gateway`: this program, its database or its configuration
 */
export const faults = ['upstream', 'caller', 'balance', 'limit', 'no_channel', 'gateway'] as const
/** Party at fault. */
export type Fault = (typeof faults)[number]

/** The faults that somebody who runs the gateway can mend; the others are the caller's matter. */
export const operatorFaults = ['upstream', 'no_channel', 'gateway'] as const satisfies readonly Fault[]

/** How an attempt at a channel ended. */
export const countedOutcomes = ['ok', ...faults] as const
/** The outcome of a counted attempt. */
export type CountedOutcome = (typeof countedOutcomes)[number]

/**
 * How a call ended for its caller, whatever was tried for it. `broken`: its response had started, and broke off by another's
 * fault.
 */
export const callOutcomes = [...countedOutcomes, 'broken'] as const
/** The outcome of a call. */
export type CallOutcome = (typeof callOutcomes)[number]

/** The models that have no row of their own because a caller named too many within an hour. */
export const otherModels = '(other)'

/** Conditions of a channel: one word, the same on every page. */
export const channelConditions = [
  'healthy',
  'degraded',
  'failing',
  'retrying',
  'auto-disabled',
  'disabled',
  'untested',
] as const
/** The condition of a channel. */
export type ChannelCondition = (typeof channelConditions)[number]
