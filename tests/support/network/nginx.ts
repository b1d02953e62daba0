import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTool } from '../../../scripts/lib/tools.mjs'
import { until } from '../until.ts'
import { freePort } from './free-port.ts'

/** nginx with the settings of `deploy/nginx.conf`, in front of a test's own nodes. */
export interface Nginx {
  readonly url: string
  /** What it reported of its upstreams. */
  errors(): string
  stop(): Promise<void>
}

const shipped = new URL('../../../deploy/nginx.conf', import.meta.url).pathname

export function hasNginx(): boolean {
  return findTool('nginx') !== undefined
}

/** Puts the nodes in the place of those that the settings name: as many as these. */
export async function startNginx(nodes: readonly { readonly url: string }[]): Promise<Nginx> {
  const program = findTool('nginx')
  if (program === undefined) throw new Error('no nginx here; install one or name it in TOLLGATE_TEST_NGINX')
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nginx-'))
  // Workers of a root's nginx run as another user.
  chmodSync(folder, 0o777)
  const port = await freePort()
  const errors = join(folder, 'error.log')
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, settings(folder, errors, siteFor(nodes, port)))
  const server = Bun.spawn([program, '-c', file, '-e', errors], { stdout: 'ignore', stderr: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${url}/api/status`).catch(() => undefined))?.ok || undefined)
  return {
    url,
    errors: () => readFileSync(errors, 'utf8'),
    async stop() {
      server.kill('SIGTERM')
      await server.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function siteFor(nodes: readonly { readonly url: string }[], port: number): string {
  const site = readFileSync(shipped, 'utf8').replace('listen 80;', `listen 127.0.0.1:${port};`)
  const named = new Set(site.match(/\bnode-\d:3000\b/g))
  if (named.size !== nodes.length) throw new Error(`deploy/nginx.conf names ${named.size} nodes`)
  return [...named].reduce(
    (text, name, index) => text.replace(name, new URL(nodes[index]?.url ?? '').host),
    site,
  )
}

function settings(folder: string, errors: string, site: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder};`,
  )
  return `daemon off; worker_processes 2; pid ${join(folder, 'pid')}; error_log ${errors} warn;
events { worker_connections 1024; }
http { access_log off; ${paths.join(' ')}
${site}
}`
}
