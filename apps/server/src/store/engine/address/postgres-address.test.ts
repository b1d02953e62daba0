import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import {
  canMakeCertificates,
  makeCertificate,
  type OwnCertificate,
} from '../../../../../../tests/support/network/certificate.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../../tests/support/postgres.ts'
import { until } from '../../../../../../tests/support/until.ts'
import { StoreOpenError, toOpenError } from '../../errors.ts'
import { PostgresListener } from '../connections/postgres-listener.ts'
import { createPool } from '../connections/postgres-pool.ts'
import { openForeign } from '../foreign/open-foreign.ts'
import { describeServer, postgresServer } from './postgres-address.ts'

setDefaultTimeout(deadline(30_000))

const read = (address: string, env = {}) => postgresServer(address, env)

describe('an address of PostgreSQL', () => {
  it('is read with its account, host and database', () => {
    expect(read('postgres://us%40er:p%3Aw@db.example:6432/my%20db?sslmode=disable&options=-c%20x')).toEqual({
      host: 'db.example',
      port: 6432,
      user: 'us@er',
      password: 'p:w',
      database: 'my db',
      more: { options: '-c x' },
      encryptions: [false],
    })
    expect(read('postgresql://[::1]/db')).toMatchObject({ host: '::1', port: 5432, database: 'db' })
  })

  it.each([
    'postgres:///db?host=/run/postgresql',
    'postgres://user@/db?host=/run/postgresql&sslmode=verify-full',
    'postgres://%2Frun%2Fpostgresql/db',
    'postgres://user:pw@%2frun%2fpostgresql:5432/db?sslmode=require',
  ])('names a socket, which is never encrypted: %s', (address) => {
    expect(read(address)).toMatchObject({ host: '/run/postgresql', database: 'db', encryptions: [false] })
    expect(describeServer(address)).toBe('/run/postgresql/db')
  })

  it('takes from the environment what it does not say', () => {
    const env = {
      PGHOST: '/tmp',
      PGUSER: 'u',
      PGPASSWORD: 'p',
      PGDATABASE: 'd',
      PGPORT: '1',
      PGSSLMODE: 'verify-full',
    }
    expect(read('postgres://?x=1', env)).toMatchObject({
      host: '/tmp',
      user: 'u',
      password: 'p',
      database: 'd',
      port: 1,
    })
    const [encryption] = read('postgres://h/db', env).encryptions
    expect(encryption).toEqual({ rejectUnauthorized: true })
    expect(read('postgres://h/db?sslmode=disable', env).encryptions).toEqual([false])
  })

  it.each([
    ['postgres://h/db?sslmode=on', /sslmode is "on": write one of disable, allow/],
    ['postgres://h/db?sslmode=verify-ca', /sslrootcert=FILE/],
    [
      'postgres://h/db?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
      /sslrootcert names \/nowhere\/ca.pem/,
    ],
    ['postgres://a,b/db', /several hosts/],
    ['postgres://h:x/db', /port "x"/],
    ['mysql://h/db', /must look like postgres:/],
  ])('is refused with what to write: %s', (address, reason) => {
    expect(() => read(address)).toThrow(StoreOpenError)
    expect(() => read(address)).toThrow(reason)
  })
})

const isHere = hasPostgres() && canMakeCertificates()

describe.skipIf(!isHere)('a server with TLS, whose certificate signs itself', () => {
  let certificate: OwnCertificate
  let folder: string
  let encrypted: Postgres
  let plain: Postgres
  let address: string
  let plainAddress: string

  beforeAll(async () => {
    certificate = await makeCertificate('localhost')
    folder = mkdtempSync(join(tmpdir(), 'tollgate-tls-'))
    const files = { cert: join(folder, 'server.crt'), key: join(folder, 'server.key') }
    copyFileSync(certificate.authority, files.cert)
    writeFileSync(files.key, certificate.key)
    encrypted = await startPostgres({ ssl: 'on', ssl_cert_file: files.cert, ssl_key_file: files.key }, [
      files.key,
      folder,
    ])
    plain = await startPostgres()
    address = await encrypted.createDatabase()
    plainAddress = await plain.createDatabase()
  })
  afterAll(async () => {
    await encrypted?.stop()
    await plain?.stop()
    certificate?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const isEncrypted = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
  const local = (url: string) => url.replace('127.0.0.1', 'localhost')

  /** Returns whether a connection is encrypted, or the reason for none. */
  async function tried(url: string): Promise<unknown> {
    const pool = await createPool(url, { connections: 1, statementMs: 5000 })
    try {
      const connection = await pool.connect()
      const { rows } = await connection.query(isEncrypted)
      connection.release()
      return rows[0].ssl
    } catch (error) {
      return toOpenError(error, 'no').message
    } finally {
      await pool.end()
    }
  }

  it.each([
    ['', true],
    ['?sslmode=disable', false],
    ['?sslmode=allow', false],
    ['?sslmode=prefer', true],
    ['?sslmode=require', true],
    ['?ssl=true', true],
  ])('is reached with %p as libpq does it', async (query, expected) => {
    expect(await tried(`${address}${query}`)).toBe(expected)
  })

  it('is verified by the authority that is named, and by its host name', async () => {
    const root = `sslrootcert=${certificate.authority}`
    expect(await tried(`${local(address)}?sslmode=verify-full&${root}`)).toBe(true)
    expect(await tried(`${address}?sslmode=verify-ca&${root}`)).toBe(true)
    expect(await tried(`${address}?sslmode=require&${root}`)).toBe(true)
    expect(await tried(`${address}?sslmode=verify-full&${root}`)).toMatch(
      /for another host name; .*verify-ca/,
    )
  })

  it('is refused in one line with the setting to make where nobody vouches for it', async () => {
    const refused = await tried(`${local(address)}?sslmode=verify-full`)
    expect(refused).toMatch(/^no: its certificate is signed by itself.*sslrootcert=FILE.*sslmode=require/)
    expect(refused).not.toContain('\n')
  })

  it('is told from one without TLS', async () => {
    for (const query of ['', '?sslmode=prefer', '?sslmode=allow', '?sslmode=disable'])
      expect(await tried(`${plainAddress}${query}`)).toBe(false)
    expect(await tried(`${plainAddress}?sslmode=require`)).toMatch(
      /no encrypted connections; .*sslmode=prefer/,
    )
  })

  it('is read by an import as by the gateway', async () => {
    const read = async (url: string) => {
      const foreign = await openForeign(url)
      await foreign.close()
    }
    const root = `sslrootcert=${certificate.authority}`
    await read(`${local(address)}?sslmode=verify-full&${root}`)
    await read(`${address}?sslmode=verify-ca&${root}`)
    for (const mode of ['disable', 'allow', 'prefer']) await read(`${plainAddress}?sslmode=${mode}`)
    await expect(read(`${local(address)}?sslmode=verify-full`)).rejects.toThrow(/sslrootcert=FILE/)
    await expect(read(`${plainAddress}?sslmode=require`)).rejects.toThrow(/sslmode=prefer/)
  })

  it('is found again when it was away, by the pool and by the connection that listens', async () => {
    const url = `${local(address)}?sslmode=verify-full&sslrootcert=${certificate.authority}`
    const heard: string[] = []
    const listener = new PostgresListener({
      url,
      channels: ['tls'],
      name: 'tls',
      logger: { info() {}, warn() {} },
      times: { beatMs: 50, responseMs: 2000, retryMs: 50 },
      notified: (_, payload) => heard.push(payload),
      connected: async () => {},
    })
    const pool = await createPool(url, { connections: 1, statementMs: 5000 })
    await listener.start()
    ;(await pool.connect()).release()
    await encrypted.kill()
    await encrypted.start()
    const notify = async () => {
      const connection = await pool.connect()
      await connection.query("select pg_notify('tls', 'again')").finally(() => connection.release())
      return heard.includes('again') || undefined
    }
    await until(() => notify().catch(() => undefined))
    await listener.close()
    await pool.end()
  })
})
