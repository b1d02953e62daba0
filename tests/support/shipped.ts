import { expect } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterDeadline } from '../../scripts/deadline/deadline.mjs'
import { freePort } from './network/free-port.ts'
import type { OpenSocket } from './network/open-socket.ts'
import { operate } from './operator.ts'
import { startServer } from './processes/server-process.ts'
import { until } from './until.ts'
import { respond } from './upstream/behaviours.ts'
import { startUpstream } from './upstream/upstream.ts'

/** Tollgate as an operator gets it, started by another command than `npm start`. */
export interface Shipped {
  readonly url: string
  logs(): string
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number>
}

export interface Environment {
  readonly cwd: string
  /** All that the program sees, beside the address to listen on. */
  readonly env: Readonly<Record<string, string>>
}

/** The account that runs a program which may write nothing but its data: nobody, where the suite runs as root. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const unprivileged = isRoot
  ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--no-new-privs', '--']
  : []

/** A temporary folder that everybody may enter; `remove` it in the end. */
export function openFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-ship-'))
  chmodSync(path, 0o755)
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }) }
}

/** Makes a folder that the program alone may write to, as a service manager does. */
export async function ownedFolder(path: string): Promise<string> {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (isRoot) await Bun.$`chown ${nobody}:${nobody} ${path}`
  return path
}

/** The process names itself as the one that the socket, its third descriptor, is for: sd_listen_fds(3). */
const passSocket = 'export PATH=/usr/bin:/bin; LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"'

/** Starts a command without privileges, perhaps on a socket that it inherits, and waits until it serves. Throws with its output when it ends instead. */
export async function startShipped(
  command: readonly string[],
  { cwd, env }: Environment,
  socket?: OpenSocket,
): Promise<Shipped> {
  const port = socket?.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const passed = socket === undefined ? [] : ['sh', '-c', passSocket, 'sh']
  const server = await startServer([...unprivileged, ...passed, ...command], {
    cwd,
    env: { DRAIN_SECONDS: '0', PORT: String(port), HOST: '127.0.0.1', ...env },
    descriptor: socket?.descriptor,
  })
  const stop = async () => {
    const release = afterDeadline(10_000, () => void server.kill('SIGKILL'))
    const code = await server.kill()
    release()
    return code
  }
  try {
    await until(async () => {
      if (server.hasEnded) throw new Error('the program ended')
      const ready = await fetch(`${url}/readyz`).catch(() => undefined)
      return ready?.ok === true ? true : undefined
    }, 30_000)
  } catch (error) {
    await stop()
    throw new Error(`${error}\n${server.printed()}`)
  }
  return { url, logs: server.printed, stop }
}

/** Runs a command without privileges to its end. */
export async function runShipped(command: readonly string[], { cwd, env }: Environment) {
  const child = Bun.spawn([...unprivileged, ...command], {
    cwd,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

/**
 * Sets an installation up and takes it to its first paid calls: one whose usage the upstream reports, streamed, and one whose tokens the
 * gateway counts. Expects each of them charged to the unit of its row.
 */
export async function expectPaidCalls(url: string): Promise<void> {
  const upstream = await startUpstream()
  try {
    const operator = await operate(url)
    await operator.addChannel({ name: 'first', base_url: upstream.url, models: 'gpt-4o' })
    const { key } = await operator.addKey()
    const ask = async (stream: boolean) => {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({
          model: 'gpt-4o',
          stream,
          messages: [{ role: 'user', content: 'Say hello.' }],
        }),
      })
      return [response.status, await response.text()] as const
    }
    const before = await operator.quota()
    upstream.on(
      'gpt-4o',
      respond({ text: 'Hello there.', usage: { promptTokens: 1000, completionTokens: 200 } }),
    )
    expect(await ask(true)).toEqual([200, expect.stringContaining('there.')])
    // (1000 + 200 × 4) × 1.25
    expect(await operator.consumption(1)).toMatchObject({ quota: 2250, is_stream: true })
    upstream.on('gpt-4o', respond({ text: 'Hello there.', usage: 'none' }))
    expect(await ask(false)).toEqual([200, expect.stringContaining('Hello there.')])
    const counted = await operator.consumption(2)
    expect(counted).toMatchObject({ completion_tokens: 3 })
    expect(before - (await operator.quota())).toBe(2250 + counted.quota)
  } finally {
    await upstream.stop()
  }
}
