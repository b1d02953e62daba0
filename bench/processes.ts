import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** Cores of the run: what is measured on one, what loads it on the other. */
export const measuredCore = '0'
export const loadCore = '1'

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

/** Runs a command pinned to the load's core and returns what it printed. */
export async function runOnLoadCore(command: readonly string[]): Promise<string> {
  const child = Bun.spawn(['taskset', '-c', loadCore, ...command], { stdout: 'pipe', stderr: 'inherit' })
  const output = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed`)
  return output
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
