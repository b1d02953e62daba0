import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createSoftwareAuthenticator } from '../../../apps/server/src/accounts/users/test-support/software-authenticator.ts'
import { modelOptions } from '../../../apps/server/src/settings/model-maps.ts'
import english from '../../../apps/web/src/i18n/en/audit.json'
import sharedEnglish from '../../../apps/web/src/i18n/en/fields.json'
import chinese from '../../../apps/web/src/i18n/zh/audit.json'
import sharedChinese from '../../../apps/web/src/i18n/zh/fields.json'
import {
  type AuditAction,
  type AuditTargetKind,
  auditTargetKinds,
  calls,
  channelFilters,
  channelResource,
  channelUpdateBody,
  modelPrice,
  userFilters,
  userResource,
} from '../../../packages/api/src/index.ts'
import { writtenFields } from '../../../packages/api/src/test-support/written-fields.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser, userPassword } from '../../support/add-user.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { valueAt } from '../../support/fields/field-paths.ts'
import { createGuard } from '../../support/fields/guard.ts'
import { walkOptions } from '../../support/fields/options.ts'
import type { Door, Key, Resource } from '../../support/fields/resource.ts'
import { unwalkedFields } from '../../support/fields/unwalked.ts'
import { sheetFields, timeFields, valuesOf, type Walk, walks } from '../../support/fields/walks.ts'
import { logIn, type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

const siteAddress = 'https://console.example'
const walked = new Set<string>()
let gateway: Tollgate
let root: Operator

beforeAll(async () => {
  gateway = await startTollgate({ env: consoleWithoutLimits })
  root = await operate(gateway.url)
  const groups = JSON.stringify({ default: 1, vip: 1, svip: 1 })
  for (const [key, value] of [
    ['GroupRatio', groups],
    ['UserUsableGroups', groups.replaceAll('1', '"open"')],
    ['ServerAddress', siteAddress],
    ['PayAddress', 'https://pay.example'],
    ['EpayId', '1001'],
    ['EpayKey', 'the key of the merchant'],
  ] as const)
    await root.option(key, value)
})
afterAll(() => gateway?.stop())

const listOfChannels = (query: string) =>
  root.api<readonly Json[]>('GET', `/api/channel/?page_size=100${query}`)
const listOfUsers = async (query: string) =>
  (await root.api<{ items: readonly Json[] }>('GET', `/api/user/?page_size=100${query}`)).items
const idsOf = (rows: readonly Json[]) => rows.map(({ id }) => Number(id)).toSorted((a, b) => a - b)
const sortKey = (value: unknown) => (typeof value === 'number' ? value : String(value).toLowerCase())

const isRefused = ({ message }: { readonly message: string }) => message !== 'success'

/** A person's calls; those of the wallet say their success otherwise. */
function doorOf(person: Operator): Door {
  return {
    async call(method, path, body) {
      const reply = await person.call(method, path, body)
      return path === '/api/user/pay' ? { ...reply, success: !isRefused(reply), data: reply } : reply
    },
  }
}

/** Fields of a channel that no record holds. */
const notReverted = new Set(['id', 'base', 'key'])
/** A copy has a name of its own, and starts disabled. */
const ofCopies = new Set(['name', 'status'])
const manage = 'apps/server/src/channels/manage'
const revert = 'apps/server/src/records/audit-log/before-change.ts'

type Found = Key | ((data: unknown) => Key | Promise<Key>)

/**
 * Writes what the walk has, and returns every fault.
 * @param found the record, or how it is found in the response that made it
 */
async function walk(
  { resource, create, updates }: Walk,
  people: Pick<Resource, 'door' | 'owner' | 'writer' | 'exports'>,
  found?: Found,
): Promise<readonly string[]> {
  const guard = createGuard({ ...resource, ...people }, walked)
  expect(guard.readers).not.toEqual([])
  const made = create && (await guard.create(create, typeof found === 'function' ? found : undefined))
  const key = made?.id ?? (typeof found === 'function' ? 0 : (found ?? 0))
  const faults = made ? await made.findings() : []
  for (const write of updates) faults.push(...(await guard.update(write, key)))
  return faults
}

describe('a written field is found by every reader, and no other call changes it', () => {
  it('of a channel', async () => {
    expect(await walk(walks.channels, { door: doorOf(root) })).toEqual([])
  })

  it('of a channel is in its copy, and comes back when its change is reverted', async () => {
    const fields = Object.keys(channelUpdateBody.shape).filter((name) => !notReverted.has(name))
    const values = valuesOf(walks.channels.updates, channelUpdateBody, fields)
    const first = Object.fromEntries(Object.entries(values).map(([field, [value]]) => [field, value]))
    const { id } = await root.api<{ id: number }>('POST', '/api/channel/', { ...first, key: 'sk-guard' })
    const read = (of: number) => root.api<Record<string, unknown>>('GET', `/api/channel/${of}`)
    const original = await read(id)
    const copy = await read((await root.api<{ id: number }>('POST', `/api/channel/copy/${id}`)).id)
    const lost = fields.filter((field) => !ofCopies.has(field) && copy[field] !== original[field])
    expect(lost.map((field) => `channel.${field}: not in the copy; ${manage}/manage-channels.ts`)).toEqual([])
    const faults: string[] = []
    for (const [field, [, second]] of Object.entries(values)) {
      await root.api('PUT', '/api/channel/', { id, [field]: second })
      const { items } = await root.api<{ items: { id: number }[] }>('GET', '/api/audit_log/?p=1&page_size=1')
      const { success, message } = await root.call('POST', `/api/audit_log/${items[0]?.id}/revert`)
      const isBack = success && (await read(id))[field] === original[field]
      if (!isBack) faults.push(`channel.${field}: not reverted (${message}); ${revert}`)
    }
    expect(faults).toEqual([])
  })

  it('of a user', async () => {
    expect(await walk(walks.users, { door: doorOf(root) })).toEqual([])
  })

  it.each([
    ['of a channel', channelFilters, channelResource.sortNames, listOfChannels],
    ['of a user', userFilters, userResource.sortNames, listOfUsers],
  ] as const)('%s narrows and sorts its list where that is declared', async (_, filters, sorts, list) => {
    const all = await list('')
    for (const { name } of filters) {
      const values = new Set(all.map((row) => row[name]).filter((value) => value !== ''))
      expect([name, values.size > 0]).toEqual([name, true])
      for (const value of values)
        expect(idsOf(await list(`&${name}=${encodeURIComponent(String(value))}`))).toEqual(
          idsOf(all.filter((row) => row[name] === value)),
        )
    }
    for (const name of sorts) {
      const keys = (await list(`&sort=${name}&order=asc`)).map((row) => sortKey(row[name]))
      expect([name, keys]).toEqual([name, keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))])
    }
  })

  it('of the own account, with its notifications', async () => {
    const own = await addUser(gateway, 'guard-owner', 1000)
    const people = { door: doorOf(root), owner: () => doorOf(own), writer: () => doorOf(own) }
    expect(await walk(walks.selves, people, own.userId)).toEqual([])
  })

  it('of a key', async () => {
    const exports = `/api/user/${root.userId}/export`
    expect(await walk(walks.tokens, { door: doorOf(root), exports })).toEqual([])
  })

  it('of a code', async () => {
    const newest = async () =>
      (await root.api<{ items: { id: number }[] }>('GET', '/api/redemption/?p=1')).items[0]?.id ?? 0
    expect(await walk(walks.redemptions, { door: doorOf(root) }, newest)).toEqual([])
  })

  it('of an order', async () => {
    const door = doorOf(root)
    const numberOf = (data: unknown) => (data as { trade_no: string }).trade_no
    expect(await walk(walks.orders, { door, owner: () => door }, numberOf)).toEqual([])
  })

  it('of an access token and of a passkey', async () => {
    const door = doorOf(
      await logIn(gateway.url, { username: 'guard-self-2', password: userPassword }).catch(() => root),
    )
    expect(await walk(walks.accessTokens, { door })).toEqual([])
    const { challenge } = (await door.call('POST', '/api/user/self/passkeys/options')).data as {
      challenge: string
    }
    const page = { origin: siteAddress, rpId: new URL(siteAddress).hostname }
    const credential = createSoftwareAuthenticator().create({ challenge, ...page })
    const { data } = await door.call('POST', '/api/user/self/passkeys', { name: 'guard-passkey', credential })
    expect(data).toMatchObject({ name: 'guard-passkey' })
    walked.add('passkeys.register name')
    expect(await walk(walks.passkeys, { door }, (data as { id: number }).id)).toEqual([])
  })

  it('of the price of a model', async () => {
    await root.addChannel({ name: 'priced', base_url: 'https://one.example', models: 'guard-priced' })
    expect(await walk(walks.prices, { door: doorOf(root) }, 'guard-priced')).toEqual([])
  })

  it('of prices by time, as the one value that they are', async () => {
    const windows = [{ days: ['sat'], from: '22:00', to: '06:00', ratio: 0.5 }]
    const times = { zone: 'Asia/Kathmandu', windows }
    const price = { input: 4, output: 8 }
    await root.api('PUT', '/api/models/price', { model_name: 'guard-priced', price, times })
    const rows = await root.api<{ model_name: string; time_prices?: Json }[]>('GET', '/api/models/prices')
    expect(rows.find(({ model_name }) => model_name === 'guard-priced')?.time_prices).toEqual(times)
    const recorded = (await recordsOf('model')).map(({ after }) => after)
    expect(recorded.some((after) => after.includes('Asia/Kathmandu') && after.includes('22:00'))).toBe(true)
    for (const path of [...timeFields, ...sheetFields]) walked.add(`modelPrices.save ${path}`)
  })
})

describe('a correction of charges', () => {
  it('has every field of its selection and its reasons, in the list and in the audit log', async () => {
    const selection = await chargedSelection()
    const { confirmation } = await root.api<{ confirmation: string }>(
      'POST',
      '/api/correction/preview',
      selection,
    )
    const sent = { ...selection, reason: 'a wrong price' }
    const { id } = await root.api<{ id: number }>('POST', '/api/correction/', { ...sent, confirmation })
    const [row] = (await root.api<{ items: Json[] }>('GET', '/api/correction/?p=1')).items
    const [entry] = await recordsOf('correction')
    const recorded = JSON.parse(entry?.after ?? '{}') as Json
    const read = { ...(row?.['selection'] as Json), reason: row?.['reason'] }
    for (const { path } of writtenFields(calls.corrections.apply.body)) {
      if (valueAt(sent, path) === undefined) continue
      walked.add(`corrections.apply ${path}`)
      expect([path, valueAt(read, path)]).toEqual([path, valueAt(sent, path)])
      expect([path, valueAt(recorded, path)]).toEqual([path, valueAt(sent, path)])
    }
    await root.api('POST', `/api/correction/${id}/take_back`, { reason: 'it was right' })
    walked.add('corrections.takeBack reason')
    const [taken] = (await root.api<{ items: Json[] }>('GET', '/api/correction/?p=1')).items
    expect(taken).toMatchObject({ id, taken_back_reason: 'it was right' })
    expect((await recordsOf('correction'))[0]?.after).toContain('it was right')
  })
})

/** A call that was charged, and a selection of it with every field but the price of a call, beside which no other counts. */
async function chargedSelection(): Promise<Json> {
  const upstream = await startUpstream()
  upstream.otherwise(respond({ text: 'yes', usage: { promptTokens: 1000, completionTokens: 100 } }))
  const fields = { name: 'corrected', base_url: upstream.url, models: 'guard-corrected' }
  const { id: channel } = await root.addChannel(fields)
  await root.api('PUT', '/api/models/price', {
    model_name: 'guard-corrected',
    price: { input: 4, output: 8 },
  })
  const { key } = await root.addKey({ name: 'corrected' })
  const from = Math.floor(Date.now() / 1000)
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'guard-corrected', messages: [{ role: 'user', content: 'hello' }] }),
  })
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('yes')])
  await root.consumption(1)
  await upstream.stop()
  // The span has to be over.
  const to = Math.floor(Date.now() / 1000)
  await until(() => Math.floor(Date.now() / 1000) > to || undefined)
  const { call: _, ...prices } = modelPrice.shape
  const price = Object.fromEntries(Object.keys(prices).map((name, index) => [name, index + 1]))
  const whose = { model_name: 'guard-corrected', channel, group: 'default', username: 'root' }
  return { ...whose, from, to, price, group_ratio: 0.5 }
}

describe('an option', () => {
  it('is found when it is read and in the audit log, each of the catalogue', async () => {
    for (const field of ['key', 'value', 'clear']) walked.add(`options.set ${field}`)
    expect(await walkOptions(root)).toEqual([])
  })
})

describe('every field of every body', () => {
  it('is walked, or has a reason why it is no field of a record', () => {
    expect(unwalkedFields(walked)).toEqual([])
  })
})

describe('a field in a record of the audit log', () => {
  it('has a name in both languages', async () => {
    await recordOtherKinds()
    const records = new Map<AuditTargetKind, readonly Recorded[]>()
    for (const kind of auditTargetKinds) records.set(kind, await recordsOf(kind))
    const without = [...records].filter(([, found]) => found.length === 0).map(([kind]) => kind)
    const elsewhere = new Set(Object.keys(recordedElsewhere).map((action) => action.split('.')[0]))
    expect(without.filter((kind) => !elsewhere.has(kind))).toEqual([])
    // Fields of an option are its entries, which have the names of models and groups.
    records.delete('option')
    const states = [...records.values()].flat().flatMap(({ before, after }) => [before, after])
    const fields = [
      ...new Set(
        states.filter((text) => text !== '').flatMap((text) => Object.keys(JSON.parse(text) as object)),
      ),
      ...Object.values(recordedElsewhere).flat(),
      ...exportFilters,
    ]
    expect(fields.length).toBeGreaterThan(40)
    const names = {
      en: { ...english.field, ...sharedEnglish },
      zh: { ...chinese.field, ...sharedChinese },
    }
    const unnamed = Object.entries(names).flatMap(([language, known]) =>
      fields
        .filter((field) => !Object.hasOwn(known, field))
        .map((field) => `${field}: no name in the audit log; apps/web/src/i18n/${language}/audit.json`),
    )
    expect(unnamed).toEqual([])
  })
})

/** Fields of actions that need an outage, an upgrade or a command: no call of this suite records them. */
const recordedElsewhere: Partial<Record<AuditAction, readonly string[]>> = {
  'incident.accept': ['accepted', 'until', 'note'],
  // A price is a change of the options that have the model.
  'model.price': [...modelOptions, 'ModelCost', 'TimeCost'],
  'user.view-end': ['by'],
  'user.pass-root': ['role', 'root'],
  'gateway.upgrade': ['version', 'commit', 'schema', 'migrations', 'copy', 'failed'],
  'gateway.import': ['place', 'report'],
  'option.reset-secret': ['channels', 'settings', 'apiKeys', 'codes', 'webhooks'],
}
/** Say in whose time an export is written: no record has them. */
const clockFields = ['utc_offset', 'time_zone']
/** Filters of exports are fields of their records. */
const exportFilters = [calls.logs.export, calls.topUpOrders.export].flatMap(({ query }) =>
  Object.keys(query.shape).filter((name) => !clockFields.includes(name)),
)

/** Makes a record of each kind that no walk above has made, with all that it may hold. */
async function recordOtherKinds(): Promise<void> {
  const limits = { requests_per_minute: 5, tokens_per_minute: 6, concurrency: 7 }
  const open = { is_open: true, description: 'text', user_limits: { requests: 5, successes: 4 } }
  await root.api('POST', '/api/group/', { name: 'audited', ratio: 2, top_up_ratio: 2, ...open, ...limits })
  await root.api('POST', '/api/group/rename', { name: 'audited', new_name: 'renamed' })
  await root.api('POST', '/api/invitation/', { role: 10, group: 'vip', quota: 5, note: 'for somebody' })
  await root.api('POST', '/api/status_page/incident', { title: 'Slow', text: 'We look.', models: ['m'] })
  await root.api('POST', '/api/models/rename', { model_name: 'guard-corrected', new_name: 'guard-renamed' })
  const { id } = await root.addKey({ name: 'audited' })
  await root.api('POST', `/api/token/${id}/rotate`, { overlap_seconds: 3600 })
  await root.api('POST', `/api/key/${id}/freeze`, { note: 'leaked' })
  const order = await root.call<{ trade_no: string }>('POST', '/api/user/pay', {
    amount: 10,
    payment_method: 'zfb',
  })
  await root.api('POST', '/api/topup/complete', { trade_no: (order as unknown as Json)['trade_no'] })
  const headers = { cookie: root.cookie, 'New-Api-User': String(root.userId) }
  await (await fetch(`${gateway.url}${calls.logs.export.path}?model_name=m`, { headers })).text()
}

type Json = Readonly<Record<string, unknown>>
type Recorded = { readonly before: string; readonly after: string }

async function recordsOf(kind: string): Promise<readonly Recorded[]> {
  const found: Recorded[] = []
  for (let page = 1; page < 20; page += 1) {
    const query = `p=${page}&page_size=100&target_kind=${kind}`
    const { items } = await root.api<{ items: Recorded[] }>('GET', `/api/audit_log/?${query}`)
    found.push(...items)
    if (items.length < 100) break
  }
  return found
}
