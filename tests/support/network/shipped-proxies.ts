import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTool } from '../../../scripts/lib/tools.mjs'
import { startServer } from '../processes/server-process.ts'
import { until } from '../until.ts'
import { freePort } from './free-port.ts'
import { startNginx } from './nginx.ts'

/** A proxy with the settings of `deploy/`, in front of a test's own server. */
export interface ShippedProxy {
  readonly url: string
  stop(): Promise<void>
}

type Tool = 'nginx' | 'caddy' | 'envoy'

/** Starters of each proxy; all of them lead to one server. */
export const shippedProxies: Readonly<Record<Tool, (target: string) => Promise<ShippedProxy>>> = {
  nginx: (target) => startNginx([{ url: target }, { url: target }, { url: target }]),
  caddy: (target) =>
    start('caddy', 'Caddyfile', (text, port) => [
      text
        .replace(':80 {', `http://127.0.0.1:${port} {\n\tbind 127.0.0.1`)
        .replaceAll(/node-\d:3000/g, hostOf(target)),
      (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    ]),
  envoy: (target) =>
    start('envoy', 'envoy.yaml', (text, port) => [
      text
        .replace('0.0.0.0, port_value: 80 ', `127.0.0.1, port_value: ${port} `)
        .replaceAll(
          /address: node-\d, port_value: 3000/g,
          `address: 127.0.0.1, port_value: ${new URL(target).port}`,
        ),
      (file) => ['-c', file, '--disable-hot-restart', '--concurrency', '1', '-l', 'error'],
    ]),
}

const hostOf = (url: string) => new URL(url).host

async function start(
  tool: 'caddy' | 'envoy',
  shipped: string,
  settings: (text: string, port: number) => readonly [string, (file: string) => readonly string[]],
): Promise<ShippedProxy> {
  const folder = mkdtempSync(join(tmpdir(), `tollgate-${tool}-`))
  const port = await freePort()
  const source = new URL(`../../../deploy/${shipped}`, import.meta.url)
  const [text, argumentsOf] = settings(readFileSync(source, 'utf8'), port)
  const file = join(folder, shipped)
  // Caddy's own port for its administration would be taken by another test's.
  writeFileSync(file, tool === 'caddy' ? `{\n\tadmin off\n}\n${text}` : text)
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const command = [findTool(tool) ?? '', ...argumentsOf(file)]
  const server = await startServer(command, { cwd: folder, env })
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok || undefined)
  return {
    url,
    async stop() {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
