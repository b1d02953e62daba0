import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import type { Server } from 'bun'
import {
  canMakeCertificates,
  makeCertificate,
  type OwnCertificate,
} from '../../../../../tests/support/network/certificate.ts'
import { checkCertificate } from './certificate-checks.ts'

const dayMs = 86_400_000

describe.skipIf(!canMakeCertificates())('the certificate at the address that people open', () => {
  let certificate: OwnCertificate
  let server: Server<undefined>
  let address: string

  beforeAll(async () => {
    certificate = await makeCertificate('localhost')
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls: { key: certificate.key, cert: certificate.cert },
      fetch: () => new Response(),
    })
    address = `https://localhost:${server.port}`
  })
  afterAll(async () => {
    await server?.stop(true)
    certificate?.remove()
  })

  /** It is valid for two days from now. */
  const afterDays = (days: number) => checkCertificate(address, { now: () => Date.now() + days * dayMs })

  it.each([
    [-30, 'ok', 'is valid until'],
    [0.5, 'warn', 'in 1 days: renew it'],
    [1.5, 'warn', 'in 0 days: renew it'],
    [2.5, 'fail', 'renew it, nobody is let in'],
  ] as const)('is judged %p days from now as %s', async (days, state, text) => {
    const [finding] = await afterDays(days)
    expect([finding?.what, finding?.state]).toEqual(['certificate', state])
    expect(finding?.text).toContain(text)
  })

  it('is not looked for where there is none, or nobody shows one', async () => {
    expect(await checkCertificate('http://localhost:1')).toEqual([])
    expect(await checkCertificate('https://localhost:1')).toEqual([])
  })
})
