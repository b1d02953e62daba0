import { describe, expect, it } from 'bun:test'
import type { TestStore } from '../../contract/place.ts'
import { newUser, unique, withAccount } from '../../contract/samples.ts'
import type { Store } from '../../store.ts'
import type { UserPageRequest } from '../user-listing.ts'
import type { NewUser, User, UserPageFilter } from '../users.ts'

type Paging = UserPageRequest & { readonly sort: keyof User }

const firstPage: Paging = { sort: 'id', descending: true, offset: 0, limit: 100 }

export function userListingContract(store: () => Store, testStore: () => TestStore): void {
  /** Users of a group of their own, which finds them. */
  async function inOwnGroup(...people: readonly Partial<NewUser>[]) {
    const group = unique('group')
    const users = []
    for (const fields of people) users.push(await store().users.create(newUser({ ...fields, group })))
    const page = (filter: UserPageFilter = {}, request: Partial<Paging> = {}) =>
      store().users.page({ ...filter, fields: { ...filter.fields, group } }, { ...firstPage, ...request })
    const found = async (filter: UserPageFilter, request?: Partial<Paging>) => {
      const { rows, total } = await page(filter, request)
      expect(total).toBe(rows.length)
      return rows.map(({ displayName }) => displayName)
    }
    return { group, users, page, found }
  }

  /** This many users whose search text contains the keyword. */
  async function crowd(group: string, keyword: string, size: number): Promise<void> {
    const empty = [
      'display_name',
      'password_hash',
      'email',
      'github_id',
      'oidc_id',
      'wechat_id',
      'telegram_id',
    ]
    const more = ['linux_do_id', 'oidc_issuer', 'access_token_hash', 'aff_code', 'setting']
    const zero = ['aff_count', 'aff_quota', 'aff_history_quota', 'inviter_id', 'created_at']
    const texts = [...empty, ...more]
    await testStore().sql(`insert into users
      (username, role, status, "group", search_text, ${[...texts, ...zero].join(', ')})
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${size})
      select '${keyword}-' || n, 1, 1, '${group}', '${keyword}',
        ${[...texts.map(() => `''`), ...zero.map(() => 0)].join(', ')} from numbers`)
    await testStore().sql(`insert into user_accounts (id) select id from users where "group" = '${group}'`)
  }

  describe('a page of users', () => {
    it('has complete users, the newest first, and the exact total on every page', async () => {
      const { users, page } = await inOwnGroup({}, {}, {}, {}, {})
      const newest = users.toReversed()
      expect(await page()).toEqual({ rows: newest, total: 5 })
      expect(await page({}, { offset: 1, limit: 2 })).toEqual({ rows: newest.slice(1, 3), total: 5 })
      expect(await page({}, { offset: 4, limit: 2 })).toEqual({ rows: newest.slice(4), total: 5 })
      expect(await page({}, { offset: 5, limit: 2 })).toEqual({ rows: [], total: 5 })
      expect(await page({}, { offset: Number.MAX_SAFE_INTEGER, limit: 2 })).toEqual({ rows: [], total: 5 })
      expect(await store().users.page({ fields: { group: unique('empty') } }, firstPage)).toEqual({
        rows: [],
        total: 0,
      })
    })

    it('is sorted by age, whatever the filters', async () => {
      const { found } = await inOwnGroup(
        { displayName: 'young', createdAt: 9 },
        { displayName: 'old', createdAt: 3 },
      )
      const oldestFirst = { sort: 'createdAt', descending: false } as const
      expect(await found({}, oldestFirst)).toEqual(['old', 'young'])
      expect(await found({ fields: { status: 'enabled' }, deleted: false }, oldestFirst)).toEqual([
        'old',
        'young',
      ])
      expect(await found({}, { sort: 'lastLoginAt' })).toEqual(['old', 'young'])
    })

    it('filters by role, status and deletion, one by one and together', async () => {
      const { users, found } = await inOwnGroup(
        { displayName: 'plain' },
        { displayName: 'admin', role: 'admin' },
        { displayName: 'banned', status: 'banned' },
        { displayName: 'gone', status: 'banned' },
      )
      await store().users.update(users[3]?.id ?? 0, { deletedAt: 5 })
      expect(await found({ fields: { role: 'admin' } })).toEqual(['admin'])
      expect(await found({ fields: { status: 'banned' } })).toEqual(['gone', 'banned'])
      expect(await found({ deleted: true })).toEqual(['gone'])
      expect(await found({ deleted: false })).toEqual(['banned', 'admin', 'plain'])
      expect(await found({ fields: { role: 'common', status: 'banned' }, deleted: false })).toEqual([
        'banned',
      ])
    })

    it('sorts by name whatever the case and by figures, in both orders, from either end', async () => {
      const { users, page } = await inOwnGroup({}, {}, {}, {}, {})
      const names = ['c', 'B', 'a', 'D', 'e'].map((letter) => `${letter}${unique('name')}`)
      for (const [index, { id }] of users.entries()) {
        await store().users.update(id, { username: names[index] as string })
        await store().ledger.credit({
          accountKind: 'user',
          accountId: id,
          cause: 'initial',
          amount: [30, 10, 20, 20, 50][index] as number,
          createdAt: 0,
          actorId: 0,
          note: '',
        })
      }
      const sorted = async (sort: Paging['sort'], descending: boolean) => {
        const pages = []
        for (let offset = 0; offset < 5; offset += 2)
          pages.push(...(await page({}, { sort, descending, offset, limit: 2 })).rows)
        expect(pages).toEqual((await page({}, { sort, descending })).rows)
        return pages.map(({ id }) => users.findIndex((user) => user.id === id))
      }
      expect(await sorted('username', false)).toEqual([2, 1, 0, 3, 4])
      expect(await sorted('username', true)).toEqual([4, 3, 0, 1, 2])
      expect(await sorted('quota', true)).toEqual([4, 0, 3, 2, 1])
      expect(await sorted('quota', false)).toEqual([1, 2, 3, 0, 4])
      expect(await sorted('id', false)).toEqual([0, 1, 2, 3, 4])
      expect(await sorted('usedQuota', true)).toEqual([4, 3, 2, 1, 0])
    })
  })

  describe('a search for users', () => {
    it('covers username, e-mail address and display name, and matches the complete id', async () => {
      const [name, address] = [unique('Wolfgang'), unique('Amadeus')]
      const { users, found, page } = await inOwnGroup(
        { displayName: 'by name', username: name },
        { displayName: 'by address', email: `${address}@example.com` },
        { displayName: 'Johannes Chrysostomus' },
      )
      expect(await found({ keyword: name.slice(2) })).toEqual(['by name'])
      expect(await found({ keyword: `${address}@EXAMPLE` })).toEqual(['by address'])
      expect(await found({ keyword: 'nes chry' })).toEqual(['Johannes Chrysostomus'])
      const { id = 0, displayName = '' } = users[2] ?? {}
      expect(await found({ keyword: String(id) })).toContain(displayName)
      expect((await store().users.page({ keyword: String(id) }, firstPage)).rows).toContainEqual(
        users[2] as NonNullable<(typeof users)[2]>,
      )
      const three = await found({ keyword: 'e' })
      expect(three).toHaveLength(3)
      expect(await found({ keyword: 'e' }, { descending: false })).toEqual(three.toReversed())
      expect(await found({ keyword: 'e' }, { sort: 'quota' })).toEqual(three)
      expect((await page({ keyword: 'e' }, { offset: 1, limit: 1 })).rows).toEqual([users[1] as never])
      expect(await found({ keyword: 'nobody is called so' })).toEqual([])
      expect(await found({ keyword: '9'.repeat(400) })).toEqual([])
    })

    it('matches every character literally, without wildcards or ends of a text', async () => {
      const names = [
        '100%',
        '100 per cent',
        'under_score',
        'underscore',
        'back\\slash',
        `o'clock "now"`,
        '[a-z]*?',
      ]
      const { found } = await inOwnGroup(...names.map((displayName) => ({ displayName })))
      expect(await found({ keyword: '%' })).toEqual(['100%'])
      expect(await found({ keyword: 'r_s' })).toEqual(['under_score'])
      expect(await found({ keyword: '\\' })).toEqual(['back\\slash'])
      expect(await found({ keyword: `'clock "` })).toEqual([`o'clock "now"`])
      expect(await found({ keyword: '[a-z]*?' })).toEqual(['[a-z]*?'])
      expect(await found({ keyword: '\0' })).toEqual([])
      expect(await found({ keyword: '\ud800' })).toEqual([])
    })

    it('ignores case, width and composition in any script', async () => {
      const names = ['Ünal Çelik', 'ΟΔΟΣ', 'Straße', 'Дмитрий', 'ｆｕｌｌ 王小明', 'Zoë']
      const { found } = await inOwnGroup(...names.map((displayName) => ({ displayName })))
      expect(await found({ keyword: 'üNAL çe' })).toEqual(['Ünal Çelik'])
      expect(await found({ keyword: 'οδος' })).toEqual(['ΟΔΟΣ'])
      expect(await found({ keyword: 'STRASSE' })).toEqual(['Straße'])
      expect(await found({ keyword: 'дмит' })).toEqual(['Дмитрий'])
      expect(await found({ keyword: 'full 王' })).toEqual(['ｆｕｌｌ 王小明'])
      expect(await found({ keyword: '小' })).toEqual(['ｆｕｌｌ 王小明'])
      expect(await found({ keyword: 'Zoe\u0308' })).toEqual(['Zoë'])
    })

    it('never matches across two names', async () => {
      const { users, found } = await inOwnGroup({
        displayName: 'end',
        email: `${unique('start')}@example.com`,
      })
      expect(await found({ keyword: `example.com\nend` })).toEqual([])
      expect(await found({ keyword: `${users[0]?.username}\n` })).toEqual([])
    })

    it('follows every change of a name', async () => {
      const { users, found } = await inOwnGroup({ displayName: 'before' })
      const id = users[0]?.id ?? 0
      const email = `${unique('moved')}@example.com`
      await Promise.all([
        store().users.update(id, { displayName: 'AFTER' }),
        store().users.update(id, { email }),
        store().users.update(id, { group: users[0]?.group ?? '' }),
      ])
      expect(await found({ keyword: 'before' })).toEqual([])
      expect(await found({ keyword: 'after' })).toEqual(['AFTER'])
      expect(await found({ keyword: email })).toEqual(['AFTER'])
    })

    it('counts and pages more matches than it caches', async () => {
      const [group, keyword] = [unique('crowd'), unique('FELLOW')]
      await crowd(group, keyword, 1003)
      const page = (offset: number, sort: Paging['sort'] = 'id') =>
        store().users.page({ keyword, fields: { group } }, { ...firstPage, sort, offset, limit: 2 })
      const [first, last] = [await page(0), await page(1001)]
      expect([first.total, last.total]).toEqual([1003, 1003])
      const [newest = 0, , secondOldest = 0, oldest = 0] = [...first.rows, ...last.rows].map(({ id }) => id)
      expect(newest - oldest).toBeGreaterThanOrEqual(1002)
      expect(secondOldest).toBeGreaterThan(oldest)
      expect((await page(1002, 'quota')).rows.map(({ id }) => id)).toEqual([oldest])
    })
  })

  describe('a change of many users', () => {
    it('changes only users who exist and rank below', async () => {
      const { users } = await inOwnGroup({}, { role: 'admin' }, { role: 'root' }, {}, {})
      const [common = 0, admin = 0, root = 0, gone = 0, other = 0] = users.map(({ id }) => id)
      await store().users.update(gone, { deletedAt: 5 })
      const ids = [common, admin, root, gone, 987_654]
      expect(await store().users.updateBelow(ids, 'admin', { status: 'banned' })).toEqual(new Set([common]))
      expect(await store().users.updateBelow(ids, 'root', { status: 'banned' })).toEqual(
        new Set([common, admin]),
      )
      expect(await store().users.updateBelow([], 'root', { status: 'banned' })).toEqual(new Set())
      const statuses = await store().users.listByIds([...ids, other])
      expect(
        [...statuses.values()]
          .filter(({ status }) => status === 'banned')
          .map(({ id }) => id)
          .sort(),
      ).toEqual([common, admin].sort())
    })

    it('ends the sessions of all of them', async () => {
      const [one, two, retained] = [unique('s'), unique('s'), unique('s')]
      const session = { createdAt: 1, expiresAt: 9, userAgent: '', address: '', lastSeenAt: 1, provenAt: 1 }
      const ids: number[] = []
      for (const idHash of [one, two, retained]) {
        const { id } = await store().users.create(newUser())
        ids.push(id)
        await withAccount(store(), id, (tx, account) => tx.sessions.create(account, { ...session, idHash }))
      }
      await store().sessions.deleteOfUsers(ids.slice(0, 2))
      await store().sessions.deleteOfUsers([])
      const there = await Promise.all([one, two, retained].map((idHash) => store().sessions.find(idHash, 2)))
      expect(there.map((found) => found?.userId)).toEqual([undefined, undefined, ids[2]])
    })
  })
}
