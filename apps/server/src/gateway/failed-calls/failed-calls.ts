import { type Clock, unixSeconds } from '@tollgate/base'
import { z } from 'zod'
import type { UserSetting } from '../../accounts/users/user-setting.ts'
import type { Vault } from '../../lib/crypto.ts'
import type { Logger } from '../../lib/logger.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import type { FailedCallRepository } from '../../store/work/failed-calls.ts'

const request = z.object({
  path: z.string(),
  /** Query with its question mark; empty when there is none. */
  query: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})
/** A request as its caller sent it, without what names the caller. */
export type StoredRequest = z.output<typeof request>

type Owner = Pick<UserSetting, 'keepsFailedCalls'> & { readonly id: number }

interface Dependencies {
  readonly repository: FailedCallRepository
  readonly users: { find(id: number): Promise<Owner | undefined> }
  readonly vault: Pick<Vault, 'seal' | 'open'>
  readonly settings: SettingsReader
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Requests of failed calls, to be sent again. One is kept, and found, only while the operator and its owner want that, and until its
 * time is over.
 */
export interface FailedCalls {
  /** Decides whether a failed call is stored: operator and owner want it, and the body is not too long. */
  wants(owner: Owner, body: () => string): boolean
  /** Keeps a request in the background, where it is wanted and not too many are being written. */
  keep(requestId: string, owner: Owner, request: StoredRequest): void
  find(
    requestId: string,
  ): Promise<{ readonly request: StoredRequest; readonly expiresAt: number } | undefined>
  /** Deletes what is over, or no longer wanted. */
  sweep(): Promise<void>
  /** Resolves when everything is written. */
  flushed(): Promise<void>
}

const maxBytes = 1024 * 1024
const maxWriting = 32
const maxStored = 5000
const secondsPerHour = 3600

export function createFailedCalls(deps: Dependencies): FailedCalls {
  const { repository, users, vault, settings, clock, logger } = deps
  const writing = new Set<Promise<void>>()

  async function write(requestId: string, userId: number, text: string): Promise<void> {
    const createdAt = unixSeconds(clock)
    const expiresAt = createdAt + settings.current.KeepFailedCallsHours * secondsPerHour
    const sealed = vault.seal(text, sealContexts.failedCall(requestId))
    await repository.add({ requestId, userId, sealed, bytes: text.length, createdAt, expiresAt })
  }

  async function isWanted(userId: number): Promise<boolean> {
    return settings.current.KeepFailedCallsEnabled && (await users.find(userId))?.keepsFailedCalls === true
  }

  const wants = (owner: Owner, body: () => string) =>
    settings.current.KeepFailedCallsEnabled && owner.keepsFailedCalls && body().length <= maxBytes

  return {
    wants,
    keep(requestId, owner, retained) {
      if (!wants(owner, () => retained.body) || writing.size >= maxWriting) return
      const written = write(requestId, owner.id, JSON.stringify(retained))
        .catch((err: unknown) =>
          logger.warn(
            { err, requestId },
            'this failed call was not stored for a replay: check the database and the free space',
          ),
        )
        .finally(() => writing.delete(written))
      writing.add(written)
    },
    async find(requestId) {
      const row = await repository.find(requestId, unixSeconds(clock))
      if (row === undefined || !(await isWanted(row.userId))) return undefined
      const text = vault.open(row.sealed, sealContexts.failedCall(requestId))
      return { request: request.parse(JSON.parse(text)), expiresAt: row.expiresAt }
    },
    async sweep() {
      await repository.deleteExpired(unixSeconds(clock))
      for (const userId of await repository.userIds())
        if (!(await isWanted(userId))) await repository.deleteOfUser(userId)
      await repository.trim(maxStored)
    },
    async flushed() {
      await Promise.all(writing)
    },
  }
}
