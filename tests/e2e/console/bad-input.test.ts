import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { awkwardBodies, awkwardNumbers, awkwardTexts, badBodies } from '../../support/console/bad-values.ts'
import { type ConsoleCall, type ConsoleContract, readContract } from '../../support/console/console-calls.ts'
import { type Arguments, argumentsOf, type Seen, send } from '../../support/console/console-request.ts'
import { changedTables, contentsOf } from '../../support/console/database-contents.ts'
import { createPeople, type Person } from '../../support/console/people.ts'
import { type Hint, sampleOf } from '../../support/console/sample-values.ts'
import { consoleWithoutLimits, nothingListens } from '../../support/console/surroundings.ts'
import { bodiesWithUnknown } from '../../support/console/unknown-members.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(60_000))

/** Written by any request of a logged-in user, whatever it asks for, or by the gateway for itself. */
const seenTables = ['sessions', 'one_time_secrets', 'leases', 'database_identity']
const json = 'application/json'
const hint: Hint = (name) => (/base_url|webhook_url/.test(name) ? nothingListens : undefined)

let gateway: Tollgate
let operator: Operator
let contract: ConsoleContract
let people: ReturnType<typeof createPeople>
let root: Person
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: consoleWithoutLimits })
  operator = await operate(gateway.url)
  contract = await readContract(gateway.url)
  people = createPeople(gateway)
  root = people.loggedIn('root')
  key = (await operator.addKey()).key
})
afterAll(() => gateway?.stop())

/** Headers of a user who may make the call. */
function headersFor({ access }: ConsoleCall, who: Person = root): Record<string, string> {
  return access === 'relay-key' ? { authorization: `Bearer ${key}` } : { ...who.headers }
}

/** Signed calls refuse before they read: what is wrong with them shows in tests of their own. */
function isReadable({ access }: ConsoleCall): boolean {
  return access !== 'signature'
}

const isBroken = ({ status }: Seen) => status >= 500 && status !== 503

describe('a body that a call cannot take', () => {
  it('is refused with HTTP 200 and a message that names the field, and nothing is stored', async () => {
    const findings: string[] = []
    for (const call of contract.calls.filter((each) => isReadable(each) && each.body?.type === 'json')) {
      const { target } = argumentsOf(contract, call, hint)
      const before = contentsOf(gateway.dataDir, seenTables)
      for (const { what, text, field } of badBodies(contract, call)) {
        const seen = await send(
          gateway.url,
          call,
          { target, body: text, contentType: json },
          headersFor(call),
        )
        if (!isRefusalOf(seen, field))
          findings.push(`${call.name}, ${what}: ${seen.status} ${seen.text.slice(0, 160)}`)
      }
      const changed = changedTables(before, contentsOf(gateway.dataDir, seenTables))
      if (changed.length > 0) findings.push(`${call.name} changed ${changed.join()}`)
    }
    expect(findings).toEqual([])
  })

  it('is refused in the language that the caller asks for', async () => {
    const call = { method: 'POST' }
    const bad: Arguments = { target: '/api/token/', body: '{"name":1}', contentType: json }
    const inEnglish = await send(gateway.url, call, bad, { ...root.headers, 'accept-language': 'en' })
    const inChinese = await send(gateway.url, call, bad, { ...root.headers, 'accept-language': 'zh-CN' })
    expect(inEnglish.envelope).toMatchObject({ success: false, message: 'Invalid parameter: name (string)' })
    expect(inChinese.envelope).toMatchObject({ success: false, message: '无效的参数：name (string)' })
  })

  it('is refused when it is over the limit, announced or not', async () => {
    const large = `{"padding":"${'x'.repeat(1_100_000)}"}`
    for (const call of contract.calls.filter((each) => isReadable(each) && each.body?.type === 'json')) {
      const { target } = argumentsOf(contract, call, hint)
      const announced = await send(
        gateway.url,
        call,
        { target, body: large, contentType: json },
        headersFor(call),
      )
      expect([call.name, announced.status]).toEqual([call.name, 413])
    }
    const chunked = await fetch(`${gateway.url}/api/token/`, {
      method: 'POST',
      headers: root.headers,
      body: streamOf(large),
    })
    expect(chunked.status).toBe(413)
    expect(await chunked.json()).toMatchObject({ success: false, code: 'body_too_large' })
  })
})

describe('a field that a call does not know', () => {
  const member = { name: 'zz_unknown', value: 'a-value-that-nobody-repeats' }

  it('is named in X-Tollgate-Warning by every call with a body, wherever it lies, and in the log, without its value', async () => {
    const findings: string[] = []
    const warned: string[] = []
    for (const call of contract.calls.filter(isReadable))
      for (const { at, body } of bodiesWithUnknown(contract, call, member, hint)) {
        const { target } = argumentsOf(contract, call, hint)
        const args = { target, body: JSON.stringify(body), contentType: json }
        const { headers, text } = await send(
          gateway.url,
          call,
          args,
          headersFor(call, people.loggedIn('root')),
        )
        const warning = headers.get('x-tollgate-warning') ?? ''
        if (!warning.includes(at) || warning.includes(member.value))
          findings.push(`${call.name} ${at}: ${warning} ${text.slice(0, 120)}`)
        warned.push(at)
      }
    expect(findings).toEqual([])
    expect(new Set(warned).size).toBeGreaterThan(3)
    for (const at of warned) expect(gateway.logs()).toContain(`fields that are not known here: ${at}`)
    expect(gateway.logs()).not.toContain(member.value)
  })

  it('refuses what another console would do by it, and says where it is written', async () => {
    const refused = await operator.call('POST', '/api/token/', { name: 'a', subnet: '10.0.0.0/8' })
    expect(refused).toMatchObject({ success: false, code: 'field_written_elsewhere' })
    expect(refused.message).toBe('subnet is named allow_ips here: write it there, and leave subnet empty')
  })

  it('refuses no call of the specification by a value in a parameter of ours, and names it', async () => {
    const seen = await send(
      gateway.url,
      { method: 'GET' },
      { target: '/api/channel/?p=0&sort=-id' },
      root.headers,
    )
    expect(seen.envelope.success).toBe(true)
    expect(seen.headers.get('x-tollgate-warning')).toBe('parameters that are not known here: sort')
  })
})

describe('a group without a ratio', () => {
  it('is named beside what was saved with it: no call reaches it', async () => {
    const channel = { name: 'a', key: 'sk-a', base_url: nothingListens, models: 'm', group: 'default' }
    const { id } = await operator.addChannel(channel)
    for (const [method, target, body, group] of [
      ['POST', '/api/channel/', { ...channel, group: 'default,nowhere' }, 'nowhere'],
      ['PUT', '/api/channel/', { id, group: 'elsewhere' }, 'elsewhere'],
      ['POST', '/api/channel/batch/update', { ids: [id], group: { mode: 'add', names: 'more' } }, 'more'],
      ['PUT', '/api/option/', { key: 'GroupRatio', value: '{"default":1,"vip":1}' }, 'svip'],
    ] as const) {
      const args = { target, body: JSON.stringify(body), contentType: json }
      const { envelope, headers } = await send(gateway.url, { method }, args, people.loggedIn('root').headers)
      expect([envelope.message, envelope.success]).toEqual([envelope.message, true])
      expect(headers.get('x-tollgate-warning')).toBe(`groups that GroupRatio does not have: ${group}`)
    }
    await operator.option('GroupRatio', '{"default":1,"vip":1,"svip":1}')
  })
})

describe('what is odd and of the right type', () => {
  it('breaks no call: it is taken, or refused by a rule', async () => {
    const findings: string[] = []
    for (const call of contract.calls.filter(isReadable)) {
      const who = people.loggedIn('root')
      for (const args of unusualArguments(call)) {
        const seen = await send(gateway.url, call, args, headersFor(call, who))
        if (
          isBroken(seen) ||
          (call.responseKind === 'envelope' && typeof seen.envelope.success !== 'boolean')
        )
          findings.push(
            `${call.name}: ${args.target} ${args.body}: ${seen.status} ${seen.text.slice(0, 120)}`,
          )
      }
    }
    expect(findings).toEqual([])
  })

  it('leaves balances where they were, and the books right', async () => {
    const { code, output } = await audit()
    expect([code, output]).toEqual([0, expect.any(String)])
  })
})

async function audit() {
  await gateway.kill()
  const result = await gateway.run('audit')
  await gateway.start()
  return result
}

/** The call with each of its fields odd, one at a time. */
function unusualArguments(call: ConsoleCall): Arguments[] {
  const min = argumentsOf(contract, call, hint)
  const texts = [...awkwardTexts, ...awkwardNumbers, 'NaN', 'null', '1e309', '1.5']
  const bySlots = call.parameters.flatMap(({ in: position, name }) =>
    texts.map((text) => ({
      ...min,
      target: position === 'query' ? withQuery(min.target, name, text) : withSlot(call, name, text),
    })),
  )
  const good = call.body?.type === 'json' ? sampleOf(contract.resolve, call.body.schema, hint) : {}
  const byBodies = awkwardBodies(contract, call, good as Record<string, unknown>)
  return [...bySlots, ...byBodies.map((body) => ({ ...min, body }))]
}

function withQuery(target: string, name: string, text: string): string {
  return `${target}${target.includes('?') ? '&' : '?'}${new URLSearchParams([[name, text]])}`
}

function withSlot({ path }: ConsoleCall, name: string, text: string): string {
  return path.replace(`{${name}}`, encodeURIComponent(text)).replace(/\{\w+\}/g, '1')
}

/** Business refusals are HTTP 200; responses of other kinds have a status. */
function isRefusalOf({ status, envelope }: Seen, field: string): boolean {
  if (envelope.success === undefined && envelope.message !== 'error') return status >= 300 && status < 500
  return status === 200 && envelope.success !== true && sentenceOf(envelope).includes(field)
}

/** Calls of the wallet have `error` as their message, and the sentence where data would be. */
function sentenceOf({ message = '', data }: Seen['envelope']): string {
  return message === 'error' && typeof data === 'string' ? data : message
}

function streamOf(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })
}
