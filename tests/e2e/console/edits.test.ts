import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { z } from 'zod'
import {
  type AuditRecordRow,
  channelUpdateBody,
  fixedFields,
  type RevertibleAction,
  redemptionUpdateBody,
  selfUpdateBody,
  tokenUpdateBody,
  userUpdateBody,
} from '../../../packages/api/src/index.ts'
import { defaults, settingKeys } from '../../../packages/api/src/settings/index.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { valuesOf, type Walk, walks } from '../../support/fields/walks.ts'
import { type Envelope, type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type Stage, undoScenes } from '../../support/undo/scenes.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(90_000))

type Fields = Readonly<Record<string, unknown>>
interface Conflict {
  readonly field: string
  readonly entry?: string
  readonly base: unknown
  readonly current: unknown
  readonly sent: unknown
}
type Outcome = Envelope<Fields> & { readonly conflicts?: readonly Conflict[] }

/** Options that are maps, from the catalogue. */
const maps = settingKeys.filter((key) => {
  const value: unknown = defaults[key]
  return typeof value === 'object' && value !== null && !Array.isArray(value)
})
/** An entry of each map that has none at first. */
const entrySamples: Fields = {
  CreateCacheRatio: 1.25,
  TimePrice: { zone: 'Asia/Kolkata', windows: [{ from: '22:00', to: '06:00', ratio: 0.5 }] },
  TimeCost: { zone: 'UTC', windows: [{ days: ['sun'], from: '00:00', to: '00:00', ratio: 0.5 }] },
  ModelCost: { model_price: 1 },
  ModelRequestRateLimitGroup: [10, 5],
  GroupRateLimits: { requests_per_minute: 1, tokens_per_minute: 2, concurrency: 3 },
  ModelRateLimits: { requests_per_minute: 1, tokens_per_minute: 2, concurrency: 3 },
  'claude.model_headers_settings': { 'x-beta': ['a'] },
  SecretScanningPublicKeys: 'a public key',
}
const isOfGroups = (key: string) => key !== 'GroupRatio' && /Group/.test(key)
function entryOf(key: (typeof maps)[number]): unknown {
  const value: unknown = Object.values(defaults[key])[0] ?? entrySamples[key]
  if (value === undefined) throw new Error(`${key} has no entry to try`)
  return value
}

/** The form of a resource: how its record is made, and two other values for each of its fields. */
interface Form {
  readonly path: string
  readonly fields: readonly string[]
  readonly values: Readonly<Record<string, readonly [first: unknown, second: unknown]>>
  make(root: Operator): Promise<number>
}

/** Fields of a person that these calls take only as they are. */
const fixed = Object.keys(fixedFields.shape)

function fieldsOf(body: { readonly shape: object }, ...others: readonly string[]): readonly string[] {
  const left = new Set(['id', 'base', ...others])
  return Object.keys(body.shape).filter((name) => !left.has(name))
}

/** The form of a resource, with the values that are walked anyway. */
function formOf(
  { resource, updates }: Walk,
  body: z.ZodObject,
  left: readonly string[],
  make: Form['make'],
): Form {
  const fields = fieldsOf(body, ...left)
  const [path] = resource.roots
  return { path, fields, values: valuesOf(updates, body, fields), make }
}

const forms: Readonly<Record<string, Form>> = {
  // The status has a call of its own.
  token: formOf(
    walks.tokens,
    tokenUpdateBody,
    ['status'],
    async (root) => (await root.addKey({ name: 'form' })).id,
  ),
  redemption: formOf(walks.redemptions, redemptionUpdateBody, ['status'], async (root) => {
    await root.api('POST', '/api/redemption/', { name: 'form', quota: 500, count: 1 })
    const { items } = await root.api<{ items: { id: number }[] }>('GET', '/api/redemption/?p=1')
    return items[0]?.id ?? 0
  }),
  user: formOf(
    walks.users,
    userUpdateBody,
    ['password', 'quota', 'quota_change', 'reason', ...fixed],
    async (root) => (await addUser(root, 'form', 1000)).userId,
  ),
  // Another type has other fields; keys are never read back.
  channel: formOf(
    walks.channels,
    channelUpdateBody,
    ['type', 'key'],
    async (root) =>
      (await root.addChannel({ name: 'form', base_url: 'https://zero.example', models: 'guard-a' })).id,
  ),
}

/** Records of what was created have nothing before it. */
const fieldsIn = (text: string): Fields => (text === '' ? {} : JSON.parse(text))

interface Position {
  readonly name: string
  readonly isThere: boolean
  /** The same person at two doors of the installation: of one process, or of two. */
  open(): Promise<{
    readonly doors: readonly [left: Operator, right: Operator]
    close(): Promise<void>
  }>
}

const env = { ...consoleWithoutLimits, CRITICAL_RATE_LIMIT: '100000' }

const positions: readonly Position[] = [
  {
    name: 'SQLite',
    isThere: true,
    async open() {
      const gateway = await startTollgate({ env })
      const root = await operate(gateway.url)
      return { doors: [root, root], close: () => gateway.stop() }
    },
  },
  {
    name: 'two nodes on PostgreSQL',
    isThere: hasPostgres(),
    async open() {
      const postgres: Postgres = await startPostgres()
      const shared = {
        ...env,
        DATABASE_URL: await postgres.createDatabase(),
        TOLLGATE_SECRET: 'the secret of every node of this fleet',
      }
      const first: Tollgate = await startTollgate({ env: shared })
      const second: Tollgate = await startTollgate({ env: shared })
      const root = await operate(first.url)
      return {
        doors: [root, root.at(second.url)],
        async close() {
          for (const node of [second, first]) await node.stop()
          await postgres.stop()
        },
      }
    },
  },
]

for (const { name, isThere, open } of positions)
  describe.skipIf(!isThere)(`two edits at once, ${name}`, () => {
    let left: Operator
    let right: Operator
    let close: () => Promise<void>
    beforeAll(async () => {
      const position = await open()
      ;[left, right] = position.doors
      close = position.close
    })
    afterAll(() => close?.())

    const at = (index: number) => (index % 2 === 0 ? left : right)
    const put = (door: Operator, path: string, body: Fields) =>
      door.call<Fields>('PUT', path, body) as Promise<Outcome>
    const textOf = async (door: Operator, key: string): Promise<string> => {
      const rows = await door.api<{ key: string; value: string }[]>('GET', '/api/option/')
      return rows.find((row) => row.key === key)?.value ?? ''
    }
    const mapOf = async (door: Operator, key: string): Promise<Fields> => JSON.parse(await textOf(door, key))
    const stepsOf = async (
      query: string,
      name = '',
    ): Promise<readonly { before: Fields; after: Fields }[]> => {
      const page = await left.api<{ items: { target_name: string; before: string; after: string }[] }>(
        'GET',
        `/api/audit_log/?p=1&page_size=100&${query}`,
      )
      return page.items
        .filter((row) => name === '' || row.target_name === name)
        .map(({ before, after }) => ({ before: fieldsIn(before), after: fieldsIn(after) }))
        .toReversed()
    }
    /** Each step begins where the one before it ended. */
    const expectChain = (steps: readonly { before: Fields; after: Fields }[], field: string) => {
      for (const [index, { before }] of steps.slice(1).entries())
        expect(before[field]).toEqual(steps[index]?.after[field])
    }
    const successes = (outcomes: readonly Outcome[]) => outcomes.filter(({ success }) => success).length

    it.each(maps)('keep both entries of %s', async (key) => {
      const value = entryOf(key)
      const names = ['a', 'b', 'c', 'd'].map((name) => `${key}-${name}`)
      const [first = '', second = '', third = '', fourth = ''] = names
      const groups = Object.fromEntries(names.map((name) => [name, 1]))
      // An entry for a group is of one that has a ratio.
      if (isOfGroups(key)) await put(left, '/api/option/', { key: 'GroupRatio', entries: groups })
      const base = await textOf(left, key)
      const whole = (entry: string) => JSON.stringify({ ...JSON.parse(base), [entry]: value })
      const outcomes = await Promise.all([
        put(left, '/api/option/', { key, entries: { [first]: value } }),
        put(right, '/api/option/', { key, entries: { [second]: value } }),
        put(left, '/api/option/', { key, value: whole(third), base }),
        put(right, '/api/option/', { key, value: whole(fourth), base }),
      ])
      expect(outcomes.map(({ message }) => message)).toEqual(['', '', '', ''])
      for (const door of [left, right])
        await until(async () => {
          const map = await mapOf(door, key)
          return names.every((entry) => JSON.stringify(map[entry]) === JSON.stringify(value)) || undefined
        })
      const recorded = (await stepsOf('target_kind=option', key)).flatMap(({ after }) => Object.keys(after))
      expect(recorded.filter((entry) => entry.startsWith(`${key}-`)).toSorted()).toEqual(names)
      const gone = Object.fromEntries(names.map((entry) => [entry, null]))
      await put(left, '/api/option/', { key, entries: gone })
      expect(Object.keys(await mapOf(left, key))).toEqual(Object.keys(JSON.parse(base)))
    })

    it('refuse the second of two that change one entry, with all values, and take it on what is there', async () => {
      const key = 'ModelRatio'
      await put(left, '/api/option/', { key, entries: { contested: 1 } })
      const base = await until(async () => {
        const text = await textOf(right, key)
        return text.includes('contested') ? text : undefined
      })
      const edits = [2, 3].map((ratio) => ({
        key,
        value: JSON.stringify({ ...JSON.parse(base), contested: ratio }),
        base,
      }))
      const outcomes = await Promise.all(edits.map((body, index) => put(at(index), '/api/option/', body)))
      expect(successes(outcomes)).toBe(1)
      const winner = outcomes.findIndex(({ success }) => success) + 2
      const loser = outcomes.find(({ success }) => !success)
      expect(loser).toMatchObject({
        code: 'edit_conflict',
        conflicts: [{ field: key, entry: 'contested', base: 1, current: winner, sent: 5 - winner }],
      })
      expect(await put(left, '/api/option/', { key, entries: { contested: 9 } })).toMatchObject({
        success: true,
      })
    })

    it('keep what both add to a list, and one of two texts', async () => {
      const key = 'SensitiveWords'
      const base = await textOf(left, key)
      const outcomes = await Promise.all(
        ['red', 'green', 'blue', 'grey'].map((word, index) =>
          put(at(index), '/api/option/', { key, value: `${base}\n${word}`, base }),
        ),
      )
      expect(successes(outcomes)).toBe(4)
      await until(async () => {
        const words = (await textOf(right, key)).split('\n')
        return ['red', 'green', 'blue', 'grey'].every((word) => words.includes(word)) || undefined
      })
      const about = await Promise.all(
        ['one', 'two'].map((value, index) =>
          put(at(index), '/api/option/', { key: 'About', value, base: '' }),
        ),
      )
      expect(about.map(({ code }) => code).toSorted()).toEqual(['edit_conflict', undefined])
    })

    it('tell in the audit log what became of an option, in their order', async () => {
      const values = [11, 12, 13, 14, 15, 16, 17, 18]
      const outcomes = await Promise.all(
        values.map((value, index) => put(at(index), '/api/option/', { key: 'RetryTimes', value })),
      )
      expect(successes(outcomes)).toBe(8)
      const steps = await stepsOf('target_kind=option', 'RetryTimes')
      expect(steps).toHaveLength(8)
      expectChain(steps, 'value')
      await until(async () =>
        (await textOf(right, 'RetryTimes')) === steps.at(-1)?.after['value'] ? true : undefined,
      )
    })

    it('keep eleven prices', async () => {
      const models = Array.from({ length: 11 }, (_, index) => `priced-${index}`)
      const outcomes = await Promise.all(
        models.map((model_name, index) =>
          put(at(index), '/api/models/price', { model_name, price: { input: 2 * (index + 1), output: 4 } }),
        ),
      )
      expect(successes(outcomes)).toBe(11)
      const ratios = await until(async () => {
        const map = await mapOf(left, 'ModelRatio')
        return models.every((model) => Object.hasOwn(map, model)) ? map : undefined
      })
      expect(models.map((model) => ratios[model])).toEqual(models.map((_, index) => index + 1))
      const based = await Promise.all(
        [6, 8].map((input, index) =>
          put(at(index), '/api/models/price', {
            model_name: 'priced-0',
            price: { input, output: 4 },
            base: { output: 4, input: 2 },
          }),
        ),
      )
      expect(based.map(({ code }) => code).toSorted()).toEqual(['edit_conflict', undefined])
    })

    it('take eight changes of one map back', async () => {
      const key = 'ModelPrice'
      const entries = Array.from({ length: 8 }, (_, index) => `reverted-${index}`)
      for (const entry of entries) await put(left, '/api/option/', { key, entries: { [entry]: 1 } })
      const { items } = await left.api<{ items: { id: number; after: string }[] }>(
        'GET',
        '/api/audit_log/?p=1&page_size=8&target_kind=option',
      )
      expect(items.every(({ after }) => after.includes('reverted-'))).toBe(true)
      const outcomes = await Promise.all(
        items.map(({ id }, index) => at(index).call<Fields>('POST', `/api/audit_log/${id}/revert`)),
      )
      expect(outcomes.map(({ message }) => message)).toEqual(Array(8).fill(''))
      await until(async () => {
        const map = await mapOf(right, key)
        return entries.every((entry) => !Object.hasOwn(map, entry)) || undefined
      })
    })

    describe('of which each takes the same act back', () => {
      let upstream: Upstream
      let stage: Stage
      beforeAll(async () => {
        upstream = await startUpstream()
        upstream.otherwise(respond({ text: 'yes', usage: { promptTokens: 1000, completionTokens: 100 } }))
        const [model, quota] = ['undone', 10_000_000]
        await left.addChannel({ name: 'served', base_url: upstream.url, models: model })
        stage = { root: left, ann: await addUser(left, 'undone', quota), model }
      })
      afterAll(() => upstream?.stop())

      const newest = async (action: string): Promise<AuditRecordRow> => {
        const { items } = await left.api<{ items: AuditRecordRow[] }>(
          'GET',
          `/api/audit_log/?p=1&page_size=1&action=${action}`,
        )
        const [record] = items
        if (record === undefined) throw new Error(`nothing is recorded of ${action}`)
        return record
      }
      const revert = async (door: Operator, id: number): Promise<Outcome> => {
        const path = `/api/audit_log/${id}/revert`
        const asked = (await door.call<Fields>('POST', path)) as Outcome & { readonly confirmation?: string }
        return asked.code === 'confirmation_required'
          ? ((await door.call<Fields>('POST', `${path}?confirmation=${asked.confirmation}`)) as Outcome)
          : asked
      }

      it.each(Object.keys(undoScenes) as RevertibleAction[])('once: %s', async (action) => {
        await undoScenes[action](stage)
        const { id } = await newest(action)
        const before = await stage.ann.quota()
        const outcomes = await Promise.all([0, 1, 2, 3].map((index) => revert(at(index), id)))
        const moved = (await stage.ann.quota()) - before
        // Who finds the state as it was before has nothing to do; money moves for one.
        if (moved === 0) expect(successes(outcomes)).toBeGreaterThan(0)
        else expect(successes(outcomes)).toBe(1)
        expect((await revert(right, id)).code).toBe('audit_changed_since')
        expect((await stage.ann.quota()) - before).toBe(moved)
        const record = await left.api<AuditRecordRow>('GET', `/api/audit_log/${id}`)
        const undo = await left.api<AuditRecordRow>('GET', `/api/audit_log/${record.reverted_by}`)
        expect([undo.reverts, record.reverts]).toEqual([id, 0])
      })

      it('and not what was done anew since', async () => {
        const { ann, root } = stage
        await undoScenes['token.freeze'](stage)
        const frozen = await newest('token.freeze')
        await root.api('POST', `/api/key/${frozen.target_id}/unfreeze`)
        await root.api('POST', `/api/key/${frozen.target_id}/freeze`, { note: 'once more' })
        expect((await revert(right, frozen.id)).code).toBe('audit_changed_since')
        await undoScenes['log.goodwill'](stage)
        const credited = await newest('log.goodwill')
        const balance = await ann.quota()
        const call = { log_id: credited.target_id }
        await root.api('POST', '/api/log/goodwill/take_back', call)
        const { items } = await ann.api<{ items: { id: number; created_at: number }[] }>(
          'GET',
          '/api/log/self/?p=1&type=2',
        )
        const at = items.find((row) => row.id === credited.target_id)?.created_at
        await root.api('POST', '/api/log/goodwill', { ...call, at })
        expect((await revert(right, credited.id)).code).toBe('audit_changed_since')
        expect(await ann.quota()).toBe(balance)
      })
    })

    it('keep twenty chat hosts, and own settings beside them', async () => {
      const hosts = Array.from({ length: 20 }, (_, index) => `https://chat-${index}.example`)
      const own = (threshold: number) => ({ notify_type: 'email', quota_warning_threshold: threshold })
      const outcomes = await Promise.all([
        ...hosts.map((host, index) => at(index).call('POST', '/api/user/self/chat_hosts', { host })),
        ...[1, 2, 3, 4].map((threshold, index) => put(at(index), '/api/user/setting', own(threshold))),
      ])
      expect(outcomes.every(({ success }) => success)).toBe(true)
      const { setting } = await left.api<{ setting: string }>('GET', '/api/user/self')
      const stored = JSON.parse(setting)
      expect(stored.chat_hosts.toSorted()).toEqual(hosts.toSorted())
      expect([1, 2, 3, 4]).toContain(stored.quota_warning_threshold)
    })

    it('of own settings keep each what the other has changed', async () => {
      const first = {
        notify_type: 'email',
        quota_warning_threshold: 500,
        accept_unset_model_ratio_model: false,
        notification_email: '',
      }
      await put(left, '/api/user/setting', first)
      const outcomes = await Promise.all([
        put(left, '/api/user/setting', { ...first, quota_warning_threshold: 600, base: first }),
        put(right, '/api/user/setting', { ...first, accept_unset_model_ratio_model: true, base: first }),
      ])
      expect(successes(outcomes)).toBe(2)
      const { setting } = await left.api<{ setting: string }>('GET', '/api/user/self')
      expect(JSON.parse(setting)).toMatchObject({
        quota_warning_threshold: 600,
        accept_unset_model_ratio_model: true,
      })
      const again = [700, 800].map((quota_warning_threshold) => ({
        ...first,
        quota_warning_threshold,
        base: { ...first, quota_warning_threshold: 600 },
      }))
      const contested = await Promise.all(
        again.map((body, index) => put(at(index), '/api/user/setting', body)),
      )
      expect(contested.map(({ code }) => code).toSorted()).toEqual(['edit_conflict', undefined])
    })

    it('of one balance say each what it has made of it', async () => {
      const { userId } = await addUser(left, 'balance', 1000)
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          put(at(index), '/api/user/', { id: userId, quota_change: 100 }),
        ),
      )
      expect(successes(outcomes)).toBe(20)
      const steps = (await stepsOf(`target_kind=user&target_id=${userId}`)).filter(
        ({ after }) => after['quota'] !== undefined && after['username'] === undefined,
      )
      expect(steps).toHaveLength(20)
      expectChain(steps, 'quota')
      expect([steps[0]?.before['quota'], steps.at(-1)?.after['quota']]).toEqual([1000, 3000])
    })

    it('of one own name keep each what the other has changed', async () => {
      expect(fieldsOf(selfUpdateBody, 'password', 'original_password', ...fixed)).toEqual([
        'username',
        'display_name',
      ])
      const base = { username: 'root', display_name: 'Root' }
      await put(left, '/api/user/self', base)
      const outcomes = await Promise.all([
        put(left, '/api/user/self', { ...base, username: 'boss', base }),
        put(right, '/api/user/self', { ...base, display_name: 'Boss', base }),
      ])
      expect(successes(outcomes)).toBe(2)
      expect(await left.api<Fields>('GET', '/api/user/self')).toMatchObject({
        username: 'boss',
        display_name: 'Boss',
      })
      await put(left, '/api/user/self', base)
    })

    describe.each(Object.entries(forms))('of a %s', (_, { path, fields, values, make }) => {
      let id = 0
      beforeAll(async () => {
        id = await make(left)
      })
      const read = (): Promise<Fields> => left.api<Fields>('GET', `${path}${id}`)
      const form = async (): Promise<Fields> => {
        const record = await read()
        return Object.fromEntries(fields.map((field) => [field, record[field]]))
      }
      /** Another value than the record has. */
      const other = (record: Fields, field: string): unknown =>
        values[field]?.find((value) => value !== record[field])
      const pairs = fields.map((field, index) => [field, fields[(index + 1) % fields.length] ?? ''] as const)

      it('have values for every field of the form', () => {
        expect(Object.keys(values).toSorted()).toEqual(fields.toSorted())
      })

      it.each(pairs)('keep %s beside %s, by fields and by whole forms', async (one, two) => {
        for (const isWhole of [false, true]) {
          const record = await form()
          const wanted = { [one]: other(record, one), [two]: other(record, two) }
          const bodyOf = (field: string) => ({
            id,
            ...(isWhole && { ...record, base: record }),
            [field]: wanted[field],
          })
          const outcomes = await Promise.all([put(left, path, bodyOf(one)), put(right, path, bodyOf(two))])
          expect(outcomes.map(({ message }) => message)).toEqual(['', ''])
          expect(await read()).toMatchObject(wanted)
        }
      })

      it('refuse the second of two that change the same, with both values', async () => {
        const field = 'name' in values ? 'name' : 'display_name'
        const record = await form()
        const edits = ['mine', 'yours'].map(
          (value): Fields => ({ id, ...record, [field]: value, base: record }),
        )
        const outcomes = await Promise.all(edits.map((body, index) => put(at(index), path, body)))
        expect(successes(outcomes)).toBe(1)
        const winner = outcomes.findIndex(({ success }) => success)
        expect(outcomes[1 - winner]).toMatchObject({
          code: 'edit_conflict',
          conflicts: [
            {
              field,
              base: record[field],
              current: edits[winner]?.[field],
              sent: edits[1 - winner]?.[field],
            },
          ],
        })
        expect((await read())[field]).toBe(edits[winner]?.[field])
      })
    })
  })
