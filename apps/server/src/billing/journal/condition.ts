import type { Clock } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'

/** Something that works or does not. It is logged when that changes, not each time it is tried. */
export interface Condition {
  failed(error: unknown): void
  succeeded(): void
  readonly broken: boolean
  /** False for a while after a failure, so that what is broken is not asked at every call. */
  readonly mayTry: boolean
}

export interface ConditionTexts {
  readonly broken: string
  readonly mended: string
}

export function createCondition(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  texts: ConditionTexts,
  retryAfterMs: number,
): Condition {
  let failedAt: number | undefined
  return {
    failed(error) {
      if (failedAt === undefined) logger.error({ err: error }, texts.broken)
      failedAt = clock.now()
    },
    succeeded() {
      if (failedAt !== undefined) logger.info(texts.mended)
      failedAt = undefined
    },
    get broken() {
      return failedAt !== undefined
    },
    get mayTry() {
      return failedAt === undefined || clock.now() - failedAt >= retryAfterMs
    },
  }
}
