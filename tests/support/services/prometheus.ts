import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at } from '../../../scripts/lib/root.mjs'
import { findTool } from '../../../scripts/lib/tools.mjs'
import { freePort } from '../network/free-port.ts'
import { startServer } from '../processes/server-process.ts'
import { until } from '../until.ts'

/** A Prometheus that scrapes one gateway every second, with the alert rules that we ship. */
export interface Prometheus {
  /** The value of an instant query; `undefined` without one. Throws for a query that cannot be read. */
  value(query: string): Promise<number | undefined>
  /** The first value that satisfies, within the time. */
  awaited(query: string, satisfies: (value: number) => boolean, timeoutMs?: number): Promise<number>
  /** Returns the errors of the target's last scrapes; empty for none. */
  scrapeError(): Promise<string>
  stop(): Promise<void>
}

export function hasPrometheus(): boolean {
  return findTool('prometheus') !== undefined && findTool('promtool') !== undefined
}

/** Runs promtool over `deploy/monitoring`, with the input on its stdin. */
export async function promtool(
  args: readonly string[],
  input = '',
): Promise<{ code: number; output: string }> {
  const program = findTool('promtool') ?? ''
  const running = Bun.spawn([program, ...args], {
    cwd: at('deploy', 'monitoring'),
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([
    new Response(running.stdout).text(),
    new Response(running.stderr).text(),
  ])
  return { code: await running.exited, output: out + err }
}

/** @param target `host:port` */
export function startPrometheus(target: string, token?: string): Promise<Prometheus> {
  // JSON is YAML.
  return startPrometheusWith(JSON.stringify(settingsFor(target, token)))
}

function settingsFor(target: string, token: string | undefined) {
  return {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [at('deploy', 'monitoring', 'tollgate.rules.yml')],
    scrape_configs: [
      {
        job_name: 'tollgate',
        static_configs: [{ targets: [target] }],
        ...(token !== undefined && { authorization: { credentials: token } }),
      },
    ],
  }
}

/** @param settings text of its file */
export async function startPrometheusWith(settings: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-prometheus-'))
  const file = join(folder, 'prometheus.yml')
  writeFileSync(file, settings)
  const url = `http://127.0.0.1:${await freePort()}`
  const server = await startServer([
    findTool('prometheus') ?? '',
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${url.slice('http://'.length)}`,
    '--log.level=error',
  ])
  await until(async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok || undefined, 30_000)

  async function value(query: string): Promise<number | undefined> {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`)
    const { status, error, data } = (await response.json()) as QueryReply
    if (status !== 'success') throw new Error(`${query}: ${error}`)
    const text = data.result[0]?.value[1]
    return text === undefined ? undefined : Number(text)
  }

  return {
    value,
    awaited: (query, satisfies, timeoutMs = 20_000) =>
      until(async () => {
        const found = await value(query)
        return found !== undefined && satisfies(found) ? found : undefined
      }, timeoutMs),
    async scrapeError() {
      const { data } = (await (await fetch(`${url}/api/v1/targets`)).json()) as TargetsReply
      return data.activeTargets[0]?.lastError ?? ''
    },
    async stop() {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface QueryReply {
  readonly status: string
  readonly error?: string
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] }
}

interface TargetsReply {
  readonly data: { readonly activeTargets: readonly { readonly lastError: string }[] }
}
