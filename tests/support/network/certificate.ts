import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTool } from '../../../scripts/lib/tools.mjs'

/** A certificate that signs itself, for one host. */
export interface OwnCertificate {
  readonly key: Buffer
  readonly cert: Buffer
  /** File of the certificate, for `NODE_EXTRA_CA_CERTS` of a program that should trust it. */
  readonly authority: string
  remove(): void
}

/** Decides whether a certificate can be made here. */
export function canMakeCertificates(): boolean {
  return findTool('openssl') !== undefined
}

export async function makeCertificate(host: string): Promise<OwnCertificate> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-certificate-'))
  const authority = join(folder, 'own.pem')
  const requested = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${host} -addext subjectAltName=DNS:${host} -keyout own.key -out own.pem`
  const making = Bun.spawn([findTool('openssl') ?? '', ...requested.split(' ')], {
    cwd: folder,
    stderr: 'ignore',
  })
  if ((await making.exited) !== 0) throw new Error('openssl could not make a certificate')
  return {
    key: readFileSync(join(folder, 'own.key')),
    cert: readFileSync(authority),
    authority,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
