import type { Operator } from '../support/operator.ts'
import type { ReplayedGateway, Served } from '../support/recordings/replayed-gateway.ts'
import { until } from '../support/until.ts'
import type { GeneratedCall } from './generated-calls.ts'

/** Everything that a call left: at its caller, at its vendor and in the log. */
export interface Outcome {
  readonly status: number
  readonly text: string
  /** Requests as the vendor got them. */
  readonly sent: readonly string[]
  /** Refusal of a key without quota, which names the amount that would be reserved. */
  readonly refusal: string
  readonly requestId: string
}

/** A gateway that calls are replayed through, with a second key that has no quota. */
export interface ReplayTarget {
  readonly replayed: ReplayedGateway
  readonly emptyKey: string
}

/** Quota that pays for all calls of a run. */
const plenty = 1e12

export async function prepareTarget(replayed: ReplayedGateway): Promise<ReplayTarget> {
  const { operator } = replayed
  // Amounts in refusals are whole quota units then.
  await operator.option('DisplayInCurrencyEnabled', 'false')
  const [code] = await operator.api<string[]>('POST', '/api/redemption/', {
    name: 'plenty',
    quota: plenty,
    count: 1,
  })
  await operator.api('POST', '/api/user/topup', { key: code })
  const { key } = await operator.addKey({ name: 'empty', unlimited_quota: false, remain_quota: 1 })
  return { replayed, emptyKey: key }
}

/** Makes the call with both keys, one after the other. */
export async function outcomeOf({ replayed, emptyKey }: ReplayTarget, call: GeneratedCall): Promise<Outcome> {
  const { request, vendor, reply, chunking, isAnnounced } = call
  const refused = await replayed.send(request, vendor, reply, { chunking, isAnnounced, key: emptyKey })
  const served = await replayed.send(request, vendor, reply, { chunking, isAnnounced })
  const requestId = idOf(served)
  return {
    status: served.response.status,
    text: masked(served.text, requestId, replayed),
    sent: served.calls.map((each) => masked(sentText(each), requestId, replayed)),
    refusal: `${refused.response.status} ${masked(refused.text, idOf(refused), replayed)}`,
    requestId,
  }
}

const idOf = ({ response }: Served) => response.headers.get('x-request-id') ?? ''

function sentText({ method, path, query, body }: Served['calls'][number]): string {
  return `${method} ${path}${query}\n${body}`
}

/** Times and ids that the gateway makes differ between two calls of one program. */
const ownMarks: readonly (readonly [RegExp, string])[] = [
  [/"(created|created_at|completed_at)":\s*\d+/g, '"$1":0'],
  [/\b(chatcmpl-|msg_|resp_|call_|toolu_|rs_|fc_|item_)[\w-]+/g, '$1'],
]

function masked(text: string, requestId: string, { gateway }: ReplayedGateway): string {
  const named = text.replaceAll(gateway.url, 'gateway')
  const own = requestId === '' ? named : named.replaceAll(requestId, 'id')
  return ownMarks.reduce((left, [mark, by]) => left.replace(mark, by), own)
}

type Row = Readonly<Record<string, unknown>> & { readonly request_id: string }

/** Members of a row that differ between two calls of one program: positions, ids and times. */
const unstable = new Set(['id', 'request_id', 'created_at', 'use_time', 'channel', 'ip', 'username'])
const unstableOther = new Set(['timing', 'frt', 'admin_info'])
const pageRows = 100

/** Returns the rows of all calls by the id of the request, without what no two calls have in common. */
export async function loggedRows(operator: Operator, calls: number): Promise<ReadonlyMap<string, string>> {
  await until(async () => ((await rowCount(operator)) >= calls ? true : undefined), 60_000)
  const rows = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const { items } = await operator.api<{ items: Row[] }>('GET', `/api/log/?p=${page}&page_size=${pageRows}`)
    for (const row of items) if (row.request_id !== '') rows.set(row.request_id, stableText(row))
    if (items.length < pageRows) return rows
  }
}

async function rowCount(operator: Operator): Promise<number> {
  return (await operator.api<{ total: number }>('GET', '/api/log/?p=1&page_size=1&type=2')).total
}

function stableText(row: Row): string {
  const { other, ...members } = row
  const stable = Object.entries(members).filter(([name]) => !unstable.has(name))
  return JSON.stringify([Object.fromEntries(stable), stableOther(String(other))])
}

function stableOther(other: string): object {
  const members = other === '' ? {} : (JSON.parse(other) as object)
  return Object.fromEntries(Object.entries(members).filter(([name]) => !unstableOther.has(name)))
}
