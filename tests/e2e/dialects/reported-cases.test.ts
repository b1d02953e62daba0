import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(30_000))

/** One call whose handling people reported as trouble, with what is right. */
interface ReportedCase {
  readonly id: string
  readonly channel: {
    readonly type: number
    readonly model: string
    readonly key?: string
    readonly other?: string
  }
  readonly call: {
    readonly method: string
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body: string
  }
  readonly upstream_answers: { readonly status: number; readonly type: string; readonly body: string }
  readonly look: 'request' | 'answer' | 'path'
  readonly right_when?: string
  readonly right_when_not?: string
  readonly right: string
}

/** The cases stay outside of the repository, as recordings do. */
const root = process.env.TOLLGATE_CASES
const cases = root === undefined ? [] : casesIn(join(root, 'relay'))

function casesIn(folder: string): readonly ReportedCase[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as ReportedCase)
}

let gateway: Tollgate
let operator: Operator
let upstream: Server
let key: string
let current: ReportedCase
let received: readonly { readonly path: string; readonly body: string }[] = []

beforeAll(async () => {
  if (root === undefined) return
  upstream = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    received = [{ path: request.url ?? '', body: Buffer.concat(pieces).toString() }]
    const { status, type, body } = current.upstream_answers
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  await new Promise<void>((ready) => upstream.listen(0, '127.0.0.1', ready))
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  const ratios = Object.fromEntries(cases.map(({ channel }) => [channel.model, 1]))
  await operator.option('ModelRatio', JSON.stringify(ratios))
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  upstream?.close()
})

/** Serves one case with a channel of its own, and returns where the case looks. */
async function served(reported: ReportedCase): Promise<string> {
  current = reported
  received = []
  const { type, model, ...more } = reported.channel
  const { port } = upstream.address() as AddressInfo
  const base_url = `http://127.0.0.1:${port}`
  const { id } = await operator.addChannel({ name: reported.id, type, base_url, models: model, ...more })
  const { method, path, headers, body } = reported.call
  const sent = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }
  const response = await fetch(gateway.url + path, { method, body, headers: sent })
  const answer = await response.text()
  await operator.api('DELETE', `/api/channel/${id}`)
  if (reported.look === 'answer') return answer
  const [request] = received
  return (reported.look === 'path' ? request?.path : request?.body) ?? ''
}

const reason = root === undefined ? ' (not run: TOLLGATE_CASES names no folder)' : ''
describe.skipIf(root === undefined)(`calls that people reported as trouble${reason}`, () => {
  it.each(cases.map((each) => [each.id, each] as const))('%s is right', async (_id, reported) => {
    const seen = await served(reported)
    const { right_when: right, right_when_not: wrong } = reported
    if (right !== undefined) expect(seen).toMatch(new RegExp(right))
    if (wrong !== undefined) expect(seen).not.toMatch(new RegExp(wrong))
  })
})
