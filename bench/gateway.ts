import type { ChildProcess } from 'node:child_process'
import { runtimeVariables } from '../scripts/lib/launch.mjs'
import { freePort, measuredCore, startPinned, waitForResponse } from './processes.ts'

/** A Tollgate under measurement, set up through its own API: root, one channel, one key. */
export interface Gateway {
  readonly url: string
  readonly pid: number
  readonly key: string
  readonly startMs: number
  /** Headers of the root user's session. */
  readonly headers: Readonly<Record<string, string>>
  api<T>(method: string, path: string, body?: unknown): Promise<T>
  stop(): Promise<void>
}

interface Envelope<T> {
  readonly success: boolean
  readonly message: string
  readonly data: T
}

const account = { username: 'root', password: 'bench-password' }

async function login(url: string): Promise<{ cookie: string; id: number }> {
  const response = await fetch(`${url}/api/user/login`, { method: 'POST', body: JSON.stringify(account) })
  const { data } = (await response.json()) as Envelope<{ id: number }>
  return { cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '', id: data.id }
}

/** Starts the gateway on the measured core, or on others, with its defaults: every feature on, quiet log. */
export async function startGateway(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  core = measuredCore,
): Promise<Gateway> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = startPinned(core, [process.execPath, 'apps/server/dist/main.js'], {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    ...runtimeVariables,
    ...env,
  })
  const startMs = await waitForResponse(`${url}/api/status`)
  await fetch(`${url}/api/setup`, {
    method: 'POST',
    body: JSON.stringify({ ...account, confirmPassword: account.password, SelfUseModeEnabled: true }),
  })
  const session = await login(url)
  const headers = { cookie: session.cookie, 'New-Api-User': String(session.id) }

  async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const envelope = (await response.json()) as Envelope<T>
    if (!envelope.success) throw new Error(`${method} ${path}: ${envelope.message}`)
    return envelope.data
  }
  const pid = child.pid ?? 0
  // The balance of a new installation pays for some 26,000 long responses, which a fast machine serves within a measurement.
  await api('PUT', '/api/user/', { id: session.id, quota_change: 1_000_000_000_000, reason: 'bench' })
  const token = await api<{ key: string }>('POST', '/api/token/', {
    name: `bench-${Date.now() % 100_000}`,
    unlimited_quota: true,
  })
  return { url, pid, key: `sk-${token.key}`, startMs, headers, api, stop: () => stop(child) }
}

export function addChannel(
  gateway: Gateway,
  name: string,
  baseUrl: string,
  models: string,
): Promise<{ id: number }> {
  return gateway.api('POST', '/api/channel/', {
    name,
    type: 1,
    key: 'sk-upstream',
    base_url: baseUrl,
    models,
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
