import type { CallObserver } from '../gateway/relay/observe.ts'
import { RelayError } from '../gateway/relay/relay-error.ts'
import type { Logger } from '../lib/logger.ts'

/** A line in the log for each call, with its request id: who called what, through which channels, and what came of it. */
export function createCallLog(logger: Pick<Logger, 'info'>): CallObserver {
  return {
    ended({ requestId, caller, request, mode, trace }, { outcome, why, doneMs, usage, quota, isRepeated }) {
      if (isRepeated) return
      logger.info(
        {
          requestId,
          userId: caller.user.id,
          tokenId: caller.tokenId,
          mode,
          model: request.model,
          stream: request.stream,
          outcome,
          ...(why !== undefined && { why: why instanceof RelayError ? why.code : why }),
          channels: trace.attempts.map(({ channel }) => channel),
          ms: doneMs,
          ...(trace.firstTokenMs > 0 && { firstTokenMs: trace.firstTokenMs }),
          ...(usage !== undefined && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
          quota,
        },
        'a call ended',
      )
    },
  }
}

/** All of them as one; `undefined` for none. */
export function joinObservers(observers: readonly CallObserver[]): CallObserver | undefined {
  const [only, ...others] = observers
  if (only === undefined || others.length === 0) return only
  const naming = observers.find((observer) => observer.traceparent !== undefined)
  return {
    ended(call, end) {
      for (const observer of observers) observer.ended(call, end)
    },
    ...(naming !== undefined && { traceparent: (call) => naming.traceparent?.(call) }),
  }
}
