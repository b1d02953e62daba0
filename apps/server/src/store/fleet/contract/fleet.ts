import { describe, expect, it } from 'bun:test'
import type { TestStore } from '../../contract/place.ts'
import { rejection } from '../../contract/rejection.ts'
import { newToken, newUser, unique, withAccount } from '../../contract/samples.ts'
import type { Store } from '../../store.ts'
import type { NodeBeat } from '../nodes.ts'

const liveMs = 10_000

function beatOf(id: string, change: Partial<NodeBeat> = {}): NodeBeat {
  return {
    id,
    version: '1.0.0',
    address: 'host:3000',
    startedMs: 1,
    draining: false,
    callsPerSecond: 2.5,
    journalSeq: 7,
    journalLag: 0,
    keyIds: 'a1',
    drainingCalls: '',
    ...change,
  }
}

export function identityContract(store: () => Store, testStore: () => TestStore): void {
  describe('IdentityRepository', () => {
    it('has the hash key that came first, until a rotation that knows it replaces it', async () => {
      const { identity } = store()
      await testStore().sql(`update database_identity set hash_key_sealed = '', secret_fingerprint = ''`)
      expect(await identity.adoptHashKey('first', 'print')).toBe(true)
      expect(await identity.adoptHashKey('second', 'other print')).toBe(false)
      expect(await identity.secret()).toEqual({
        hashKeySealed: 'first',
        fingerprint: 'print',
        resealedKey: '',
        namesKeys: true,
      })
      expect(await identity.replaceHashKey('second', 'third')).toBe(false)
      expect(await identity.replaceHashKey('first', 'third')).toBe(true)
      expect(await identity.markResealed('key')).toBe(true)
      expect(await identity.secret()).toEqual({
        hashKeySealed: 'third',
        fingerprint: 'rotated',
        resealedKey: 'key',
        namesKeys: true,
      })
      await testStore().sql(`update database_identity set hash_key_sealed = '', resealed_key = ''`)
    })
  })
}

/** Checks the facts of nodes about one another, on PostgreSQL alone. */
export function fleetContract(store: () => Store, testStore: () => TestStore): void {
  describe('NodeRepository', () => {
    it('names those that were seen lately, and shows what they said last', async () => {
      const { nodes } = store()
      const [one, other] = [unique('node'), unique('node')]
      expect(await nodes.beat(beatOf(one), liveMs)).toContain(one)
      expect(await nodes.beat(beatOf(other, { startedMs: 5 }), liveMs)).toEqual(
        expect.arrayContaining([one, other]),
      )
      await nodes.beat(beatOf(one, { draining: true, journalLag: 3, drainingCalls: '{"7":2}' }), liveMs)
      const visible = (await nodes.list()).find(({ id }) => id === one)
      expect(visible).toMatchObject({ draining: true, journalLag: 3, callsPerSecond: 2.5, reclaimed: false })
      expect(visible?.drainingCalls).toBe('{"7":2}')
      expect(visible?.silentMs).toBeLessThan(5000)
      await testStore().sql(`update nodes set seen_ms = seen_ms - 20000 where id = '${one}'`)
      expect(await nodes.beat(beatOf(other), liveMs)).not.toContain(one)
      expect(await nodes.silenceOf(one)).toBeGreaterThanOrEqual(20_000)
      await nodes.remove(one)
      expect(await nodes.silenceOf(one)).toBeUndefined()
      await nodes.remove(other)
    })

    it('lists who has been silent until its shares are reclaimed, and again when it was back', async () => {
      const { nodes } = store()
      const id = unique('node')
      const fallSilent = async () => {
        await nodes.beat(beatOf(id), liveMs)
        await testStore().sql(`update nodes set seen_ms = seen_ms - 61000 where id = '${id}'`)
      }
      await fallSilent()
      expect(await nodes.listSilent(60_000)).toEqual([id])
      expect(await nodes.markReclaimed(id, 60_000)).toBe(true)
      expect(await nodes.markReclaimed(id, 60_000)).toBe(false)
      expect(await nodes.listSilent(60_000)).toEqual([])
      await nodes.beat(beatOf(id), liveMs)
      expect(await nodes.markReclaimed(id, 60_000)).toBe(false)
      await fallSilent()
      expect(await nodes.listSilent(60_000)).toEqual([id])
      await nodes.removeSilent(60_000)
      expect(await nodes.silenceOf(id)).toBeUndefined()
    })

    it('has the clock of the database', async () => {
      expect(Math.abs((await store().nodes.now()) - Date.now())).toBeLessThan(5000)
    })
  })

  describe('ChangeRepository', () => {
    /** Returns the announcements made while `work` ran. */
    async function announcedBy(work: () => Promise<unknown>): Promise<string[]> {
      await testStore().sql('delete from changes')
      await work()
      const changes = await store().changes.listSince(0, 'nobody', 100)
      return changes.map(({ kind, key }) => `${kind} ${key}`).toSorted()
    }

    it('announces what nodes hold in memory: users, sessions, keys, channels, options, money', async () => {
      const { users, tokens, sessions, options, ledger, quotaWarnings } = store()
      let userId = 0
      expect(
        await announcedBy(async () => {
          userId = (await users.create(newUser())).id
        }),
      ).toEqual([`user ${userId}`])
      const token = await tokens.create(newToken(userId))
      expect(await announcedBy(() => tokens.changeOwn(userId, [token.id], { status: 'disabled' }))).toEqual([
        `token ${token.id} ${token.keyHash}`,
      ])
      expect(await announcedBy(() => options.change(async () => [{ key: 'Notice', value: 'x' }]))).toEqual([
        'option Notice',
      ])
      const entry = { accountKind: 'user', accountId: userId, cause: 'top-up', amount: 5 } as const
      expect(
        await announcedBy(() => ledger.credit({ ...entry, createdAt: 1, actorId: 0, note: '' })),
      ).toEqual([`account user ${userId}`])
      expect(await announcedBy(() => quotaWarnings.add(userId, 1))).toEqual([`quota-warning ${userId}`])

      const now = Math.floor(Date.now() / 1000)
      const session = { createdAt: now, userAgent: '', address: '', lastSeenAt: now, provenAt: now }
      const live = unique('session')
      await withAccount(store(), userId, async (tx, account) => {
        await tx.sessions.create(account, { ...session, idHash: live, expiresAt: now + 100 })
        await tx.sessions.create(account, { ...session, idHash: unique('session'), expiresAt: now - 100 })
      })
      expect(await announcedBy(() => sessions.touch(live, now + 1))).toEqual([])
      expect(await announcedBy(() => sessions.deleteExpired(now))).toEqual([])
      expect(await announcedBy(() => sessions.delete(live))).toEqual([`user ${userId}`])
    })

    it('announces nothing that is rolled back', async () => {
      const undone = async () => {
        const work = store().transaction(async (tx) => {
          await tx.options.change(async () => [{ key: 'Notice', value: 'y' }])
          throw new Error('undone')
        })
        expect(String(await rejection(work))).toContain('undone')
      }
      expect(await announcedBy(undone)).toEqual([])
    })

    it('leaves out those of the author who asks, and forgets old ones', async () => {
      await testStore().sql('delete from changes')
      await store().options.change(async () => [{ key: 'Notice', value: 'z' }])
      const [change] = await store().changes.listSince(0, 'nobody', 100)
      expect(await store().changes.listSince(0, change?.author ?? '', 100)).toEqual([])
      expect(await store().changes.listSince(Date.now() + 60_000, 'nobody', 100)).toEqual([])
      await store().changes.removeOlder(3_600_000)
      expect(await store().changes.listSince(0, 'nobody', 100)).toHaveLength(1)
      await testStore().sql('update changes set at_ms = at_ms - 3700000')
      await store().changes.removeOlder(3_600_000)
      expect(await store().changes.listSince(0, 'nobody', 100)).toEqual([])
    })
  })
}
