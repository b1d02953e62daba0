import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findTool } from '../../../scripts/lib/tools.mjs'
import { startServer } from '../processes/server-process.ts'
import { until } from '../until.ts'
import type { OwnCertificate } from './certificate.ts'
import { freePort } from './free-port.ts'

/** nginx with the settings of `deploy/nginx.conf`, in front of a test's own nodes. */
export interface Nginx {
  readonly url: string
  /** Returns its reports on its upstreams. */
  errors(): string
  stop(): Promise<void>
}

const shipped = (name: string) => new URL(`../../../deploy/${name}`, import.meta.url).pathname

export function hasNginx(): boolean {
  return findTool('nginx') !== undefined
}

/** Puts the nodes in the place of those that the settings name: as many as these. */
export function startNginx(nodes: readonly { readonly url: string }[]): Promise<Nginx> {
  return start((port) => ({ site: siteFor(nodes, port), url: `http://127.0.0.1:${port}` }))
}

/** The settings of `deploy/nginx-site.conf` with TLS in front of one gateway, under a certificate for localhost. */
export function startNginxSite(
  gateway: { readonly url: string },
  certificate: OwnCertificate,
): Promise<Nginx> {
  const { authority } = certificate
  return start((port) => ({
    url: `https://localhost:${port}`,
    site: readFileSync(shipped('nginx-site.conf'), 'utf8')
      .replaceAll(/^ *listen (80|\[::\]:\d+).*;$/gm, '')
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
      // Without an address it would listen at port 80.
      .replace('return 308', `listen unix:${join(dirname(authority), 'redirect')}; return 308`)
      .replaceAll('server_name ai.example.com;', 'server_name localhost;')
      .replace(/ssl_certificate +\S+;/, `ssl_certificate ${authority};`)
      .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${join(dirname(authority), 'own.key')};`)
      .replace('127.0.0.1:3000', new URL(gateway.url).host),
  }))
}

async function start(settingsFor: (port: number) => { site: string; url: string }): Promise<Nginx> {
  const program = findTool('nginx')
  if (program === undefined) throw new Error('no nginx here; install one or name it in TOLLGATE_TEST_NGINX')
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nginx-'))
  // Workers of a root's nginx run as another user.
  chmodSync(folder, 0o777)
  const { site, url } = settingsFor(await freePort())
  const errors = join(folder, 'error.log')
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, settings(folder, errors, site))
  const server = await startServer([program, '-c', file, '-e', errors])
  const tls = { rejectUnauthorized: false }
  await until(async () => (await fetch(`${url}/api/status`, { tls }).catch(() => undefined))?.ok || undefined)
  return {
    url,
    errors: () => readFileSync(errors, 'utf8'),
    async stop() {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function siteFor(nodes: readonly { readonly url: string }[], port: number): string {
  const site = readFileSync(shipped('nginx.conf'), 'utf8').replace('listen 80;', `listen 127.0.0.1:${port};`)
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
