import { settingKeys } from '@tollgate/api/settings'
import { z } from 'zod'
import { Reloader } from '../lib/async/reloader.ts'
import type { Logger } from '../lib/logger.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { AnnouncedChange, ChangeKind, ChangeRepository } from '../store/fleet/changes.ts'
import type { AccountKind } from '../store/settlement.ts'
import type { OptionReload } from './option-reload.ts'

/** Receivers of other nodes' changes, beside the directories, which hear of them on the bus. */
export interface ChangeTargets {
  readonly settings: OptionReload
  /** Another node credited, debited or made the account. */
  readonly accountChanged: (kind: AccountKind, id: number) => void
}

interface Dependencies extends ChangeTargets {
  readonly changes: Pick<ChangeRepository, 'listSince'>
  readonly bus: ChangeBus
  /** Name of this node's connections: what they changed is known here. */
  readonly author: string
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

/** A change may be committed so long after it was announced to its transaction. */
const maxTransactionMs = 60_000
/** Time for which a change can be read; a job deletes older ones. */
export const storedChangesMs = 3_600_000
/** Beyond so many it costs less to forget everything. */
const maxChanges = 10_000

const announcement = z.object({ kind: z.string(), key: z.string(), author: z.string() })

/** Publishes what other nodes changed, as the events that this node publishes for its own changes. */
export function createChangeReceiver({
  changes,
  bus,
  settings,
  accountChanged,
  author,
  logger,
}: Dependencies) {
  let staleOptions = new Set<string>()
  const options = new Reloader({
    load: reloadOptions,
    onFailure: (err) =>
      logger.error(
        { err },
        'options that another node changed cannot be read, and the former ones hold until the next look: check the database',
      ),
  })

  async function reloadOptions(): Promise<void> {
    const keys = [...staleOptions]
    staleOptions = new Set()
    try {
      await settings.reload(keys)
    } catch (error) {
      for (const key of keys) staleOptions.add(key)
      throw error
    }
    bus.publish('options-changed', { keys })
  }

  function readOptions(keys: readonly string[]): void {
    for (const key of keys) staleOptions.add(key)
    options.reloadInBackground()
  }

  const publish: Readonly<Record<ChangeKind, (key: string) => void>> = {
    user: (key) => bus.publish('user-changed', { id: Number(key) }),
    token(key) {
      const [id, keyHash = ''] = key.split(' ')
      bus.publish('token-changed', { id: Number(id), keyHash })
    },
    channel: (key) => bus.publish('channels-changed', { ids: [Number(key)] }),
    option: (key) => readOptions([key]),
    'quota-warning': (key) => bus.publish('quota-warning-changed', { userId: Number(key) }),
    account(key) {
      const [kind, id] = key.split(' ')
      accountChanged(kind as AccountKind, Number(id))
    },
  }

  function take({ kind, key, author: changedBy }: z.output<typeof announcement>): void {
    // A kind that a later version announces is nothing that this one holds in memory.
    if (changedBy !== author && Object.hasOwn(publish, kind)) publish[kind as ChangeKind](key)
  }

  function forgetEverything(): void {
    bus.publish('everything-changed', { inBalances: true })
    readOptions(settingKeys)
  }

  async function missed(sinceMs: number, nowMs: number): Promise<readonly AnnouncedChange[] | undefined> {
    if (sinceMs < nowMs - storedChangesMs) return undefined
    const found = await changes.listSince(sinceMs, author, maxChanges + 1)
    return found.length > maxChanges ? undefined : found
  }

  return {
    /** Takes the payload of a notification. */
    received(payload: string): void {
      take(announcement.parse(JSON.parse(payload)))
    },
    /** Publishes what was changed since this node heard last, or has everything read anew. */
    async catchUp(heardMs: number, nowMs: number): Promise<void> {
      const found = await missed(heardMs - maxTransactionMs, nowMs)
      if (found === undefined) {
        logger.warn(
          {},
          'more changes of other nodes were missed than are recorded, so this node reads everything anew',
        )
        forgetEverything()
      } else for (const change of found) take(change)
    },
    close: () => options.close(),
  }
}
