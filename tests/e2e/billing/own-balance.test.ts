import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mayWrite, type SettingKey, settingCatalogue } from '../../../packages/api/src/settings/index.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import {
  type ConsoleCall as Call,
  type ConsoleContract,
  readContract,
} from '../../support/console/console-calls.ts'
import { argumentsOf, send } from '../../support/console/console-request.ts'
import type { Hint } from '../../support/console/sample-values.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { logIn, type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(60_000))

const password = 'a-long-password'
const catalogue = Object.entries(settingCatalogue) as [SettingKey, (typeof settingCatalogue)[SettingKey]][]

/** An administrator with an ordinary second account, which they invited, and the account that invited them. */
function ownBalanceStory(environment: () => Promise<Record<string, string>>): void {
  let gateway: Tollgate
  let contract: ConsoleContract
  let root: Operator
  let inviter: Operator
  let ada: Operator
  let second: Operator
  let rounds = 0
  const orders: string[] = []

  beforeAll(async () => {
    gateway = await startTollgate({ env: { ...consoleWithoutLimits, ...(await environment()) } })
    root = await operate(gateway.url)
    contract = await readContract(gateway.url)
    inviter = await addUser(gateway, 'ina', 0)
    ada = await invitedBy(inviter, 'ada')
    await root.api('POST', '/api/user/manage', { id: ada.userId, action: 'promote' })
    ada = await logIn(gateway.url, { username: 'ada', password })
    second = await invitedBy(ada, 'lee')
    for (const [key, value] of [
      ['ServerAddress', gateway.url],
      ['PayAddress', 'https://pay.example'],
      ['EpayId', '1'],
      ['EpayKey', 'the merchant key'],
      ['ModelPrice', '{"m":1}'],
    ] as const)
      await root.option(key, value)
    for (const who of [ada, second, inviter]) {
      const placed = await who.call('POST', '/api/user/pay', { amount: 10, payment_method: 'zfb' })
      orders.push((placed as unknown as { readonly trade_no: string }).trade_no)
    }
  })
  afterAll(() => gateway?.stop())

  async function invitedBy(who: Operator, username: string): Promise<Operator> {
    const aff_code = await who.api<string>('GET', '/api/user/aff')
    const body = JSON.stringify({ username, password, password2: password, aff_code })
    const reply = await fetch(`${gateway.url}/api/user/register`, { method: 'POST', body })
    const { success, message } = (await reply.json()) as { success: boolean; message: string }
    if (!success) throw new Error(message)
    return logIn(gateway.url, { username, password })
  }

  /** Balances and invitation earnings of the accounts near the administrator, together. */
  async function total(): Promise<number> {
    type Figures = { readonly id: number; readonly quota: number; readonly aff_quota: number }
    const near = [ada, second, inviter].map(({ userId }) => userId)
    // An account that was deleted has nothing to spend.
    const { items } = await root.api<{ items: Figures[] }>(
      'GET',
      '/api/user/search?deleted=false&page_size=100',
    )
    return items
      .filter(({ id }) => near.includes(id))
      .reduce((sum, { quota, aff_quota }) => sum + quota + aff_quota, 0)
  }

  /** New accounts on the invitations of both, whose earnings both transfer: what the options give. */
  async function collect(): Promise<void> {
    rounds += 1
    await invitedBy(ada, `guest${rounds}of-ada`)
    await invitedBy(second, `guest${rounds}of-lee`)
    for (const who of [ada, second])
      for (const quota of [1, 500_000, 10 ** 15]) await who.call('POST', '/api/user/aff_transfer', { quota })
  }

  function generousValues(key: SettingKey): readonly string[] {
    const { control } = settingCatalogue[key]
    switch (control.kind) {
      case 'flag':
        return ['true', 'false']
      case 'integer':
      case 'decimal':
        return [String(control.max), String(control.min)]
      case 'choice':
        return control.choices
      case 'json':
        return ['{"default":0}', '{"default":"all"}', '{}', '[]']
      default:
        return ['https://own.example']
    }
  }

  /** Returns the replies to an administrator who writes an option of root, other than the expected refusals. */
  async function unexpectedReplies(key: SettingKey): Promise<unknown[]> {
    const { movesMoney, recentProof } = settingCatalogue[key]
    const refusals = [movesMoney ? 'option_moves_money' : 'permission_denied']
    if (recentProof === true) refusals.push('recent_proof_required')
    const replies = [await ada.call('PUT', '/api/option/', { key, clear: true })]
    for (const value of generousValues(key)) {
      replies.push(await ada.call('PUT', '/api/option/', { key, value }))
      replies.push(await ada.call('PUT', '/api/option/batch', { options: [{ key, value }] }))
    }
    return replies.filter(({ code }) => !refusals.includes(code ?? ''))
  }

  it('changes no option that moves money, one by one and many at once', async () => {
    const before = await total()
    const stored = await root.api<object[]>('GET', '/api/option/')
    for (const [key, { write }] of catalogue)
      if (write === 'root') expect([key, await unexpectedReplies(key)]).toEqual([key, []])
    const price = { model_name: 'm', price: { call: 0 } }
    expect((await ada.call('PUT', '/api/models/price', price)).code).toBe('option_moves_money')
    expect((await ada.call('POST', '/api/option/rest_model_ratio')).code).toBe('option_moves_money')
    const { items } = await root.api<{ items: { id: number; target_name: string }[] }>(
      'GET',
      '/api/audit_log/',
    )
    const changed = items.find(({ target_name }) => target_name === 'ModelPrice')
    expect((await ada.call('POST', `/api/audit_log/${changed?.id}/revert`)).success).toBe(false)
    expect(await root.api<object[]>('GET', '/api/option/')).toEqual(stored)
    await collect()
    expect(await total()).toBe(before)
  })

  it('gains nothing by the options that are theirs', async () => {
    const before = await total()
    for (const [key] of catalogue.filter(([key]) => mayWrite({ role: 'admin' }, key))) {
      const replies = []
      for (const value of generousValues(key))
        replies.push(await ada.call('PUT', '/api/option/', { key, value }))
      expect([key, replies.some(({ success }) => success)]).toEqual([key, true])
    }
    await collect()
    expect(await total()).toBe(before)
    for (const [key] of catalogue.filter(([key]) => mayWrite({ role: 'admin' }, key)))
      await root.api('PUT', '/api/option/', { key, clear: true })
  })

  it('gains by an option once root delegates it, and the audit lists what they gained', async () => {
    await root.option('AdminMoneyOptionsEnabled', 'true')
    const who = await logIn(gateway.url, { username: 'ada', password })
    await who.option('QuotaForInvitee', '700')
    const { userId } = await invitedBy(inviter, 'kim')
    await root.option('AdminMoneyOptionsEnabled', 'false')
    expect((await who.call('PUT', '/api/option/', { key: 'QuotaForInvitee', value: '9' })).code).toBe(
      'option_moves_money',
    )
    const { output, code } = await gateway.run('audit')
    expect(output).toContain(
      `Administrator ada (id ${ada.userId}) changed options that move money: QuotaForInvitee (1).`,
    )
    expect(output).toContain(
      `Administrator ada (id ${ada.userId}): the account kim (id ${userId}), near them, got quota 700 by 1 gifts for an invitation`,
    )
    expect(output).toContain('Everything adds up.')
    expect(code).toBe(0)
  })

  /** One call with all that could be worth money, by whoever may make it; returns how many were served. */
  async function callAbout(
    call: Call,
    { id, order, code }: { readonly id: number; readonly order: string; readonly code: string },
  ): Promise<number> {
    const much = 10 ** 12
    const values: Readonly<Record<string, unknown>> = {
      id,
      ids: [id],
      trade_no: order,
      key: code,
      quota: much,
      quota_change: much,
      amount: much,
      action: call.path.includes('/user/') ? 'enable' : undefined,
      group: 'svip',
    }
    const hint: Hint = (name) => values[name]
    let served = 0
    for (const who of isAdministrators(call) ? [ada] : [ada, second, inviter]) {
      const headers = { cookie: who.cookie, 'new-api-user': String(who.userId) }
      const { envelope } = await send(gateway.url, call, argumentsOf(contract, call, hint), headers)
      if (envelope.success === true) served += 1
    }
    return served
  }

  it('gains nothing by any call that changes something, made by either account about any of them', async () => {
    const own = await ada.api<string[]>('POST', '/api/redemption/', {
      name: 'gift',
      quota: 5_000_000,
      count: 1,
    })
    const changing = contract.calls.filter(
      ({ changes, access }) => changes && ['user', 'admin', 'root'].includes(access ?? ''),
    )
    let before = await total()
    const gains: string[] = []
    let served = 0
    // What removes accounts and sessions comes last.
    for (const call of changing.toSorted((a, b) => Number(isEnd(a)) - Number(isEnd(b))))
      for (const [at, target] of [ada, second, inviter].entries()) {
        served += await callAbout(call, { id: target.userId, order: orders[at] ?? '', code: own[0] ?? '' })
        const after = await total()
        if (after > before) gains.push(`${call.name} about ${target.userId}: ${after - before}`)
        before = after
      }
    expect(gains).toEqual([])
    expect(served).toBeGreaterThan(40)
  })
}

function isAdministrators({ access }: Call): boolean {
  return access === 'admin' || access === 'root'
}

/** Recognises a call that may end an account or a session which the walk continues with. */
function isEnd({ method, path }: Call): boolean {
  return path.startsWith('/api/user/') && (method === 'DELETE' || /logout|sessions/.test(path))
}

describe('an administrator with a second account over SQLite', () => {
  ownBalanceStory(async () => ({}))
})

describe.skipIf(!hasPostgres())('an administrator with a second account over PostgreSQL', () => {
  let postgres: Postgres
  afterAll(() => postgres?.stop())
  ownBalanceStory(async () => {
    postgres = await startPostgres()
    return { DATABASE_URL: await postgres.createDatabase() }
  })
})
