import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ServerNews, ServerOrder } from './server-thread.ts'

/** A program that serves a test until it is ended. */
export interface ServerProcess {
  readonly pid: number
  /** Its exit code, or 128 plus the number of the signal that ended it. */
  readonly exited: Promise<number>
  readonly hasEnded: boolean
  /** Returns what it has printed to the file of its output. */
  printed(): string
  readonly output: string
  /** Sends the signal and waits for the end; returns the exit code. */
  kill(signal?: NodeJS.Signals): Promise<number>
}

export interface ServerOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** File that receives what it prints, after what is there; one of its own by default. */
  readonly output?: string
  /** An open socket that becomes its third descriptor. */
  readonly descriptor?: number | undefined
}

/**
 * Starts a server in the background, from a thread of its own. When a test is over its time, Bun ends whatever the thread of the tests
 * has started in the same file, and the servers of all tests behind it would go with one slow test.
 */
export async function startServer(
  command: readonly string[],
  options: ServerOptions = {},
): Promise<ServerProcess> {
  const id = ++orders
  const { cwd = tmpdir(), env = process.env, output = outputOf(id), descriptor } = options
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const started = Promise.withResolvers<number>()
  const ended = Promise.withResolvers<number>()
  let hasEnded = false
  listeners.set(id, (news) => {
    if (news.kind === 'started') return started.resolve(news.pid)
    listeners.delete(id)
    hasEnded = true
    if (news.kind === 'failed')
      started.reject(new Error(`${command[0]} could not be started: ${news.message}`))
    else ended.resolve(news.code)
  })
  const order: ServerOrder = { id, command, cwd, env: Object.fromEntries(defined), output, descriptor }
  thread().postMessage(order)
  const pid = await started.promise
  return {
    pid,
    output,
    exited: ended.promise,
    get hasEnded() {
      return hasEnded
    },
    printed: () => (existsSync(output) ? readFileSync(output, 'utf8') : ''),
    async kill(signal = 'SIGTERM') {
      if (!hasEnded) send(pid, signal)
      return await ended.promise
    },
  }
}

let orders = 0
let ownThread: Worker | undefined
const listeners = new Map<number, (news: ServerNews) => void>()

function thread(): Worker {
  if (ownThread !== undefined) return ownThread
  ownThread = new Worker(new URL('./server-thread.ts', import.meta.url))
  ownThread.unref()
  ownThread.on('message', (news: ServerNews) => listeners.get(news.id)?.(news))
  return ownThread
}

let outputs: string | undefined

function outputOf(id: number): string {
  if (outputs === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-output-'))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    outputs = folder
  }
  return join(outputs, String(id))
}

/** It may have ended while its message was on the way. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}
