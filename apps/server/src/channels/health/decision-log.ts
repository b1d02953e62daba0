import type { Clock } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'

export type DecisionKind =
  | 'cooldown'
  | 'recover'
  | 'disable-key'
  | 'disable-channel'
  | 'enable-key'
  | 'enable-channel'

/** Something the gateway decided about a channel by itself, and why. */
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

const keptDecisions = 200

/** The latest decisions, in memory. Each one is also a line of the log. */
export function createDecisionLog(deps: {
  readonly wallClock: Clock
  readonly logger: Pick<Logger, 'info'>
}) {
  const kept: Decision[] = []
  return {
    add(decision: Omit<Decision, 'at'>): void {
      kept.unshift({ at: deps.wallClock.now(), ...decision })
      if (kept.length > keptDecisions) kept.pop()
      deps.logger.info(decision, 'channel decision')
    },
    /** Newest first. */
    latest: (): readonly Decision[] => kept.slice(),
  }
}

export type DecisionLog = ReturnType<typeof createDecisionLog>
