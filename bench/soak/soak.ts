import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { readContract } from '../../tests/support/console/console-calls.ts'
import { send } from '../../tests/support/console/console-request.ts'
import { type ConsoleRead, everyRead } from '../../tests/support/console/every-read.ts'
import { addChannel, type Gateway, startGateway } from '../gateway.ts'
import { bothCores, residentMegabytes } from '../processes.ts'
import type { Figure } from '../report.ts'
import { model } from '../samples.ts'
import { sized } from '../sized.ts'
import { type Ended, makeCall, mix } from './calls.ts'
import { startSoakUpstream } from './upstream.ts'
import { type Minute, verdictOf } from './verdict.ts'

const callsPerSecond = 12
const maxOpenCalls = 40
const readMs = sized(1000, 50)
const minuteMs = sized(60_000, 500)
const lowPriority = 19

/**
 * Holds a gateway of its own under a modest load for so many minutes, at a low priority beside other work: the mix of calls over two
 * channels whose upstream fails each tenth, and every read of the console in turn, exports among them. Prints a line a minute.
 */
export async function soakFigures(directory: string, minutes: number): Promise<Figure[]> {
  setPriority(lowPriority)
  const gateway = await startGateway(join(directory, 'soak'), {}, bothCores)
  const upstream = await startSoakUpstream()
  for (const name of ['first', 'second']) await addChannel(gateway, name, upstream, model)
  const ended: Ended[] = []
  const callers = [
    every(1000 / callsPerSecond, callInTurn(gateway, ended)),
    every(readMs, await readInTurn(gateway)),
  ]
  const seen: Minute[] = []
  while (seen.length < minutes) {
    await Bun.sleep(minuteMs)
    seen.push(minuteOf(gateway.pid, ended.splice(0)))
    process.stderr.write(`${lineOf(seen)}\n`)
  }
  for (const timer of callers) clearInterval(timer)
  await gateway.stop()
  return verdictOf(seen)
}

const every = (ms: number, act: () => Promise<void>) => setInterval(() => void act(), ms)

/** Makes the calls of the mix; a turn passes while a starved gateway has as many open as it may. */
function callInTurn({ url, key }: Gateway, ended: Ended[]): () => Promise<void> {
  let turn = 0
  let open = 0
  return async () => {
    const call = mix[turn % mix.length]
    if (call === undefined || open >= maxOpenCalls) return
    turn += 1
    open += 1
    ended.push(await makeCall(url, key, call))
    open -= 1
  }
}

/** Reads one thing after the other; a read that takes longer than its turn delays the next. */
async function readInTurn({ url, headers, key }: Gateway): Promise<() => Promise<void>> {
  const reads = everyRead(await readContract(url))
  let turn = 0
  let isReading = false
  const read = async ({ call, args }: ConsoleRead) => {
    const own = call.access === 'relay-key' ? { authorization: `Bearer ${key}` } : headers
    const { status } = await send(url, call, args, own)
    if (status >= 500) process.stderr.write(`  ${call.name} responds ${status}\n`)
  }
  return async () => {
    const next = reads[turn % reads.length]
    if (isReading || next === undefined) return
    isReading = true
    turn += 1
    await read(next).catch((error: Error) => process.stderr.write(`  ${error.message}\n`))
    isReading = false
  }
}

function minuteOf(pid: number, ended: readonly Ended[]): Minute {
  const times = ended
    .flatMap(({ ms, isSmall, failed }) => (isSmall && !failed ? [ms] : []))
    .sort((a, b) => a - b)
  const quantile = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return {
    megabytes: residentMegabytes(pid),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    calls: ended.length,
    failures: ended.filter(({ failed }) => failed).length,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  }
}

function lineOf(seen: readonly Minute[]): string {
  const { megabytes, descriptors, calls, failures, p50Ms, p99Ms } = seen.at(-1) as Minute
  const times = `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
  return `minute ${seen.length}: ${megabytes} MB, ${descriptors} descriptors, ${times}, ${calls} calls, ${failures} failed`
}
