import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** Cores of the run: what is measured on one, what loads it on the other. */
export const measuredCore = '0'
export const loadCore = '1'
/** Cores on which everything shares the machine. */
export const bothCores = '0,1'

const started: ChildProcess[] = []

/** Starts a command pinned to a core. Everything started is stopped by `stopAll`. */
export function startPinned(
  core: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn('taskset', ['-c', core, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  child.stderr?.on('data', (data: Buffer) => process.env['BENCH_VERBOSE'] && process.stderr.write(data))
  child.stdout?.resume()
  started.push(child)
  return child
}

/** Ends everything that was started; politely, because a killed nginx leaves its workers behind. */
export async function stopAll(): Promise<void> {
  const running = started.filter((child) => child.exitCode === null && child.signalCode === null)
  const ended = running.map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of running) child.kill('SIGTERM')
  await Promise.race([Promise.all(ended), Bun.sleep(stopMs)])
  for (const child of running) child.kill('SIGKILL')
}

const stopMs = 3000

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100

/** Returns the processor time of all threads of a process, since it began. */
export function processorSeconds(pid: number): number {
  const fields = statusOf(pid)
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Returns the processor time of a process and of its children, those included that have ended. */
export function familySeconds(pid: number): number {
  const fields = statusOf(pid)
  const ended = (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
  return childrenOf(pid).reduce((sum, child) => sum + processorSeconds(child), ended + processorSeconds(pid))
}

/** Processes that a process has started, and that live. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => isChild(name, pid))
    .map(Number)
}

export function parentOf(pid: number): number {
  return Number(statusOf(pid)[1])
}

function isChild(name: string, pid: number): boolean {
  try {
    return /^\d+$/.test(name) && parentOf(Number(name)) === pid
  } catch {
    return false
  }
}

/** The fields behind the name of the program. */
function statusOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
}

/** Counts how often the threads of processes have waited for something and woken up. */
export function wakeupsOf(pids: readonly number[]): number {
  const ofThread = (file: string) =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0)
  return pids
    .flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/status`))
    .reduce((sum, file) => sum + ofThread(file), 0)
}

/** Resident memory of a process in MB. */
export function residentMegabytes(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(Number(line?.[1] ?? 0) / 1024)
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

/** Waits for any response of an address, and returns the time that it took in ms. */
export async function waitForResponse(url: string, limitMs = 20_000): Promise<number> {
  const start = performance.now()
  while (performance.now() - start < limitMs) {
    const response = await fetch(url).catch(() => undefined)
    if (response !== undefined) {
      await response.arrayBuffer()
      return performance.now() - start
    }
    await Bun.sleep(5)
  }
  throw new Error(`${url} did not respond within ${limitMs} ms`)
}

/** Runs a command pinned to the load's core, or to others, and returns what it printed. */
export async function runOnLoadCore(command: readonly string[], core = loadCore): Promise<string> {
  const child = Bun.spawn(['taskset', '-c', core, ...command], { stdout: 'pipe', stderr: 'inherit' })
  const output = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed`)
  return output
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
