import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addChannel, type Gateway, startGateway } from './gateway.ts'
import { startFileUpstream, startProxy, startStaticUpstream } from './nginx.ts'
import { familySeconds, median, residentMegabytes, runOnLoadCore } from './processes.ts'
import { atMost, type Figure } from './report.ts'
import { completionOf, manyMessages, model, oneMessage, openEnded } from './samples.ts'
import { sized } from './sized.ts'
import { loadStreams, startStreamUpstream } from './streams.ts'

/** Calls of one form, from small ones to those of coding agents. */
interface Case {
  readonly name: string
  readonly path: string
  readonly body: string
  /** Size of the response; a short one without it. */
  readonly responseBytes?: number
  /** Processor time against nginx to stay under: what a compiled gateway with its log takes, and better. */
  readonly bar: number
}

const chat = '/v1/chat/completions'

const cases: readonly Case[] = [
  { name: '0.8 kB', path: chat, body: oneMessage(700), bar: 2.94 },
  { name: '20 kB', path: chat, body: oneMessage(20_000), bar: 3.1 },
  { name: '200 kB, one message', path: chat, body: oneMessage(200_000), bar: 2.17 },
  { name: '200 kB in 870 messages', path: chat, body: manyMessages(200_000, 870), bar: 6.1 },
  { name: '2 MB, one message', path: chat, body: oneMessage(2_000_000), bar: 2.26 },
  { name: '2 MB in 8,700 messages', path: chat, body: manyMessages(2_000_000, 8700), bar: 5 },
  {
    name: '200 kB in 869 messages, Messages to Chat',
    path: '/v1/messages',
    body: manyMessages(200_000, 869),
    bar: 11.8,
  },
  { name: 'response of 100 kB', path: chat, body: openEnded, responseBytes: 100_000, bar: 2.86 },
  { name: 'response of 1 MB', path: chat, body: openEnded, responseBytes: 1_000_000, bar: 2.05 },
]

interface BodyFigures {
  /** Processor time of a call in µs, over all threads. */
  readonly us: number
  readonly p99Ms: number
  readonly megabytes: number
}

/** A server that calls go through. */
interface Target {
  readonly url: string
  readonly pid: number
  readonly key: string
}

const connections = 32
const seconds = sized(4, 1)
const turns = sized(4, 1)

/**
 * Processor time of calls by the size of their bodies, beside nginx as a plain proxy, in turns on one core: what a call costs is
 * the same however busy its machine is, which throughput is not.
 */
export async function bodyFigures(directory: string): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [index, each] of cases.entries())
    figures.push(await figureOf(join(directory, `bodies-${index}`), each))
  return [...figures, await pacedFigure(join(directory, 'paced'))]
}

async function figureOf(directory: string, each: Case): Promise<Figure> {
  const upstream =
    each.responseBytes === undefined
      ? await startStaticUpstream(directory)
      : await startFileUpstream(directory, completionOf(each.responseBytes))
  const proxy = await startProxy(directory, upstream)
  const gateway = await startGateway(join(directory, 'data'))
  await addChannel(gateway, 'static', upstream, model)
  const { own, plain } = await inTurns(directory, each, gateway, { ...proxy, key: gateway.key })
  await gateway.stop()
  const detail = `${textOfFigures('Tollgate', own)}, ${own.megabytes} MB; ${textOfFigures('nginx', plain)}`
  return atMost(
    `Processor time of a call, ${each.name}, against nginx`,
    own.us / plain.us,
    each.bar,
    '×',
    detail,
  )
}

const textOfFigures = (name: string, { us, p99Ms }: BodyFigures) =>
  `${name} ${us.toFixed(0)} µs, p99 ${p99Ms.toFixed(1)} ms`

async function inTurns(directory: string, each: Case, gateway: Gateway, proxy: Target) {
  await measure(directory, each, gateway)
  const own: BodyFigures[] = []
  const plain: BodyFigures[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    own.push(await measure(directory, each, gateway))
    await gateway.api('GET', '/api/log/?p=1&page_size=1')
    plain.push(await measure(directory, each, proxy))
  }
  return { own: mediansOf(own), plain: mediansOf(plain) }
}

function mediansOf(figures: readonly BodyFigures[]): BodyFigures {
  const middle = (pick: (figure: BodyFigures) => number) => median(figures.map(pick))
  return {
    us: middle(({ us }) => us),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    megabytes: middle(({ megabytes }) => megabytes),
  }
}

/** One run of wrk. Any response that is not 2xx fails the bench: it would flatter the figure. */
async function measure(
  directory: string,
  { path, body }: Case,
  { url, pid, key }: Target,
): Promise<BodyFigures> {
  const file = join(directory, 'load.lua')
  writeFileSync(file, script(key, body))
  const before = familySeconds(pid)
  const output = await runOnLoadCore([
    ...['wrk', '-t1', `-c${connections}`, `-d${seconds}`, '--timeout', '30s', '-s', file, `${url}${path}`],
  ])
  const used = familySeconds(pid) - before
  const result = JSON.parse(/RESULT (\{.*\})/.exec(output)?.[1] ?? '{}') as Record<string, number>
  if (result['errors'] !== 0)
    throw new Error(`${result['errors']} calls of ${body.length} bytes to ${url}${path} failed`)
  const calls = result['requests'] ?? 0
  return { us: (used / calls) * 1e6, p99Ms: (result['p99'] ?? 0) / 1000, megabytes: residentMegabytes(pid) }
}

function script(key: string, body: string): string {
  return `local body = [==[${body}]==]
local request_text
init = function() request_text = wrk.format("POST", nil, {["Content-Type"]="application/json", ["Authorization"]="Bearer ${key}"}, body) end
request = function() return request_text end
done = function(summary, latency)
  io.write(string.format('RESULT {"requests":%d,"p99":%d,"errors":%d}\\n', summary.requests, latency:percentile(99),
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
`
}

/** Processor time of an event of paced streams, the load that gateways have most, beside nginx as a plain proxy, in turns. */
async function pacedFigure(directory: string): Promise<Figure> {
  const upstream = await startStreamUpstream()
  const proxy = { ...(await startProxy(directory, upstream, true)), key: 'none' }
  const gateway = await startGateway(join(directory, 'data'))
  await addChannel(gateway, 'streams', upstream, model)
  await loadStreams(gateway.url, gateway.key, { streams: sized(200, 10) })
  const own: number[] = []
  const plain: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    own.push(await eventMicroseconds(gateway))
    plain.push(await eventMicroseconds(proxy))
  }
  const detail = `${residentMegabytes(gateway.pid)} MB; nginx ${median(plain).toFixed(1)} µs`
  await gateway.stop()
  return atMost('Processor time of an event of 1,000 paced streams', median(own), 17, ' µs', detail)
}

async function eventMicroseconds({ url, pid, key }: Target): Promise<number> {
  const before = familySeconds(pid)
  const { events } = await loadStreams(url, key, { streams: sized(1000, 20) })
  return ((familySeconds(pid) - before) / events) * 1e6
}
