import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Gateway } from './gateway.ts'
import { loadCore, median, runOnLoadCore } from './processes.ts'
import { sized } from './sized.ts'

export interface RequestFigures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** One call as the loads send it. */
export const callBody = JSON.stringify({
  model: 'gpt-4o-mini',
  messages: [
    { role: 'system', content: 'You are a helpful assistant.' },
    { role: 'user', content: 'Say hello to the reader, please.' },
  ],
  temperature: 0.7,
  max_tokens: 64,
})

function script(keys: readonly string[]): string {
  const list = keys.map((key) => `"Bearer ${key}"`).join(',')
  return `local keys = {${list}}
local body = [==[${callBody}]==]
local turn = 0
request = function()
  turn = turn % #keys + 1
  return wrk.format("POST", nil, {["Content-Type"]="application/json", ["Authorization"]=keys[turn]}, body)
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('RESULT {"requests":%d,"us":%d,"p50":%d,"p99":%d,"errors":%d,"statuses":%d,"timeouts":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.status + errors.connect + errors.read + errors.timeout, errors.status, errors.timeout))
end
`
}

interface LoadPosition {
  readonly connections?: number
  /** A call that takes longer has failed. */
  readonly timeoutSeconds?: number
  readonly core?: string
}

/** One run of wrk from the load's core, or from others. Any response that is not 2xx fails the bench: it would flatter the figure. */
export async function load(
  directory: string,
  url: string,
  keys: readonly string[],
  seconds: number,
  { connections = 64, timeoutSeconds = 2, core = loadCore }: LoadPosition = {},
): Promise<RequestFigures> {
  const file = join(directory, `load-${keys.length}.lua`)
  writeFileSync(file, script(keys))
  const output = await runOnLoadCore(
    [
      'wrk',
      '-t1',
      `-c${connections}`,
      `-d${seconds}`,
      '--timeout',
      `${timeoutSeconds}s`,
      '-s',
      file,
      `${url}/v1/chat/completions`,
    ],
    core,
  )
  const result = JSON.parse(/RESULT (\{.*\})/.exec(output)?.[1] ?? '{}') as Record<string, number>
  const { errors, statuses, timeouts } = result
  if (errors !== 0)
    throw new Error(
      `the load on ${url} met ${errors} errors, of which ${statuses} are statuses and ${timeouts} took ${timeoutSeconds} s`,
    )
  return {
    perSecond: ((result['requests'] ?? 0) / (result['us'] ?? 1)) * 1e6,
    p50Ms: (result['p50'] ?? 0) / 1000,
    p99Ms: (result['p99'] ?? 0) / 1000,
  }
}

/** Longer than a busy gateway gathers calls before it writes them into its database. */
export const runInSeconds = sized(3, 1)

/**
 * A run against a gateway that pays for everything: it starts with calls of its own waiting for the database, as many as
 * wait when it ends, and those are written before the next measurement.
 */
export async function loadGateway(
  directory: string,
  { url, api }: Pick<Gateway, 'url' | 'api'>,
  keys: readonly string[],
  seconds: number,
  position: LoadPosition = {},
): Promise<RequestFigures> {
  await load(directory, url, keys, runInSeconds, position)
  const figures = await load(directory, url, keys, seconds, position)
  // Reading the log has everything written first.
  await api('GET', '/api/log/?p=1&page_size=1')
  return figures
}

/** Figures of two targets in one round. */
export interface Pair {
  readonly a: RequestFigures
  readonly b: RequestFigures
}

/** A machine's speed changes within seconds: many short turns compare better than few long ones. */
const turnsPerStart = sized(4, 1)

type Load = (seconds: number) => Promise<RequestFigures>

/**
 * Loads two freshly started, warmed up targets in turn. Each goes first every other time: the one that goes second
 * finds the machine as the other has left it.
 */
export async function inTurns(
  a: Load,
  b: Load,
  warmUpSeconds: number,
  turns = turnsPerStart,
): Promise<Pair[]> {
  await a(warmUpSeconds)
  await b(warmUpSeconds)
  const pairs: Pair[] = []
  const seconds = Math.max(1, Math.round((warmUpSeconds * sized(2, 1)) / turnsPerStart))
  for (let turn = 0; turn < turns; turn += 1) pairs.push(await pairOf(a, b, seconds, turn % 2 === 1))
  return pairs
}

async function pairOf(a: Load, b: Load, seconds: number, isReversed: boolean): Promise<Pair> {
  const first = await (isReversed ? b : a)(seconds)
  const second = await (isReversed ? a : b)(seconds)
  return isReversed ? { a: second, b: first } : { a: first, b: second }
}

export interface Compared extends Pair {
  /** Median of the rounds' own ratios, A's throughput to B's. */
  readonly ratio: number
}

export function medians(pairs: readonly Pair[]): Compared {
  const middle = (pick: (pair: Pair) => number) => median(pairs.map(pick))
  const figures = (side: 'a' | 'b'): RequestFigures => ({
    perSecond: middle((pair) => pair[side].perSecond),
    p50Ms: middle((pair) => pair[side].p50Ms),
    p99Ms: middle((pair) => pair[side].p99Ms),
  })
  return { a: figures('a'), b: figures('b'), ratio: middle((pair) => pair.a.perSecond / pair.b.perSecond) }
}
