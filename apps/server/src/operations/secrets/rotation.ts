import { type Clock, monotonicClock } from '@tollgate/base'
import type { KeyRing, SealContext } from '../../lib/key-ring.ts'
import { keyIdOf } from '../../lib/key-ring.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { SecretRecord } from '../../store/installation/database-identity.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import type { Store } from '../../store/store.ts'
import { keyIdIn } from './open-vault.ts'
import { resealAll } from './reseal.ts'
import { isSealContext } from './sealed-place.ts'

/** Storage of the next secret, when it is not in the environment. */
export interface NextSecret {
  /** `undefined` while there is none. */
  read(): string | undefined
  /** Puts it in the place of the former one. */
  keep(): void
}

interface Dependencies {
  readonly store: Pick<Store, 'identity' | 'transaction'>
  readonly ring: KeyRing
  /** The secret of the process, with which everything is to be sealed unless there is a next one. */
  readonly secret: string
  readonly next: NextSecret | undefined
  /** Set for a database that other nodes may use. */
  readonly isShared: boolean
  /** Name of the connections of this node. */
  readonly connectionName: string
  /** Decides whether every living node opens what this key seals. */
  readonly everyNodeAccepts: (keyId: string) => Promise<boolean>
  readonly bus: ChangeBus
  readonly logger: Pick<Logger, 'info' | 'warn'>
  readonly clock?: Clock
  /** Longest time in which what was sealed with the former key is still written. */
  readonly settleMs?: number
}

const defaultSettleMs = 10_000

/**
 * Carries an installation from one master key to the next while it serves. Every node opens what both keys seal; when all
 * do, the hash key is sealed with the next one, which makes that the active key everywhere; then everything is sealed anew. The
 * former key goes when a look at everything finds nothing of it.
 */
export function createRotation(deps: Dependencies) {
  const { store, ring, next, logger, bus, clock = monotonicClock, settleMs = defaultSettleMs } = deps
  let target = keyIdOf(deps.secret)
  let activeSince = clock.now()
  let isDone = false
  /** The last look at everything found nothing to do. */
  let isClean = false

  /** Takes up what was decided elsewhere: a next secret on this disk, the active key in the database. */
  async function refresh(): Promise<void> {
    const coming = next?.read()
    if (coming !== undefined && !ring.ids.includes(keyIdOf(coming))) {
      target = ring.accept(coming)
      isDone = false
      logger.info({ key: target }, 'the secret is being changed')
    }
    if (deps.isShared || ring.ids.length > 1) await follow(await store.identity.secret())
  }

  async function follow({ hashKeySealed, resealedKey, namesKeys }: SecretRecord): Promise<void> {
    if (namesKeys && !ring.namesKeys) nameKeys()
    const active = keyIdIn(hashKeySealed)
    if (active !== ring.active) activate(active)
    if (active !== target || resealedKey !== target) return
    if (next?.read() === undefined) {
      if (!isDone)
        logger.info({ key: target }, 'everything is sealed with the secret: the former one is not needed')
    } else {
      next.keep()
      ring.forgetOthers()
      logger.info({ key: target }, 'the secret was changed')
    }
    isDone = true
  }

  /** Every node reads texts that name their key: what was sealed without is sealed anew, once none is written so any more. */
  function nameKeys(): void {
    ring.nameKeys()
    activeSince = clock.now()
    isClean = false
    isDone = false
  }

  function activate(keyId: string): void {
    ring.activate(keyId)
    activeSince = clock.now()
    isClean = false
  }

  /** Makes the target active, once every node opens its texts. */
  async function turn({ hashKeySealed }: SecretRecord): Promise<void> {
    if (!(await deps.everyNodeAccepts(target))) return
    const hashKey = ring.open(hashKeySealed, sealContexts.hashKey)
    const former = ring.active
    activate(target)
    const sealed = ring.sealNamed(hashKey, sealContexts.hashKey)
    const isTurned = await store.identity.replaceHashKey(hashKeySealed, sealed).catch((error: unknown) => {
      // It may have been written all the same: `refresh` looks.
      activate(former)
      throw error
    })
    if (!isTurned) activate(former)
  }

  /** One step of the work that one node does for all. */
  async function run(signal: AbortSignal): Promise<void> {
    await refresh()
    if (!(await namesKeys()) || isDone) return
    const before = await store.identity.secret()
    if (keyIdIn(before.hashKeySealed) !== target) await turn(before)
    const { hashKeySealed, resealedKey } = await store.identity.secret()
    const active = keyIdIn(hashKeySealed)
    if (resealedKey === active) isDone = active === target && ring.ids.length === 1
    else if (await isEverythingSealed(active, signal)) {
      await store.identity.markResealed(active)
      await refresh()
    }
  }

  /** False while a node lives that reads the first form alone: then nothing is sealed anew, and no other key made active. */
  async function namesKeys(): Promise<boolean> {
    if (ring.namesKeys) return true
    if (!(await store.identity.adoptStoredForms(deps.connectionName))) return false
    logger.info(
      {},
      'every node is of this version or a later one: programs that cannot read what it writes are refused from now on',
    )
    nameKeys()
    return true
  }

  /** Seals anew what is not; true once a look at everything, late enough, found nothing. */
  async function isEverythingSealed(active: string, signal: AbortSignal): Promise<boolean> {
    const isSettled = clock.now() - activeSince >= settleMs
    if (isClean && !isSettled) return false
    const parts = { store, ring, isSealed: isSealContext, resealed: announce }
    const { resealed, unreadable } = await resealAll(parts, signal)
    if (resealed > 0) logger.info({ resealed, key: active }, 'secrets were sealed anew')
    if (signal.aborted || ring.active !== active) return false
    isClean = resealed === 0
    if (!isClean || !isSettled) return false
    if (unreadable > 0)
      logger.warn(
        { unreadable },
        'no key opens these secrets, and they stay as they are: start once with their former TOLLGATE_SECRET_PREVIOUS',
      )
    return true
  }

  /** Rows of other tables are read when they are needed. */
  function announce({ column, row }: SealContext): void {
    if (column === 'users.setting') bus.publish('user-changed', { id: Number(row) })
  }

  return { refresh, run }
}

export type Rotation = ReturnType<typeof createRotation>
