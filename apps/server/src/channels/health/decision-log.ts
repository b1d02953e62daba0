import type { Clock } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'

export type DecisionKind =
  | 'cooldown'
  | 'recover'
  | 'disable-key'
  | 'disable-channel'
  | 'enable-key'
  | 'enable-channel'

/** A decision of the gateway about a channel, with its reason. */
export interface Decision {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly kind: DecisionKind
  readonly channelId: number
  /** Index of the key in the channel's list; absent when the decision is about the channel. */
  readonly keyIndex?: number | undefined
  readonly model?: string | undefined
  readonly reason: string
}

const maxDecisions = 200

/** The latest decisions, in memory. Each one is also a line of the log. */
export function createDecisionLog(deps: {
  readonly wallClock: Clock
  readonly logger: Pick<Logger, 'info'>
}) {
  const decisions: Decision[] = []
  return {
    add(decision: Omit<Decision, 'at'>): void {
      decisions.unshift({ at: deps.wallClock.now(), ...decision })
      if (decisions.length > maxDecisions) decisions.pop()
      deps.logger.info(
        decision,
        'the gateway changed the state of this channel or its key for the reason in this entry',
      )
    },
    /** Newest first. */
    latest: (): readonly Decision[] => decisions.slice(),
  }
}

export type DecisionLog = ReturnType<typeof createDecisionLog>
