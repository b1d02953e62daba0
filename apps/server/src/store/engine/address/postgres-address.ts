import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import type { ClientConfig } from 'pg'
import { StoreOpenError } from '../../errors.ts'

/** Address of a server and the options for the driver. */
export interface PostgresServer {
  /** A host, or the folder of its socket. */
  readonly host: string
  readonly port: number
  readonly user?: string
  readonly password?: string
  readonly database?: string
  /** Further options of the address: `options`, `sslnegotiation`. */
  readonly more: Readonly<Record<string, string>>
  /** Encryptions in the order in which they are tried, as libpq does: encrypted or not. Never empty. */
  readonly encryptions: readonly Encryption[]
}

/** `false` for a connection without encryption. */
export type Encryption = ConnectionOptions | false

export type Environment = Readonly<Record<string, string | undefined>>

/** Values of `sslmode`. https://www.postgresql.org/docs/current/libpq-ssl.html */
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof sslModes)[number]

const addressForm =
  'postgres://user:password@host:5432/database, or postgres:///database?host=/run/postgresql'
const shape = /^postgres(?:ql)?:\/\/(?:(.*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s

/** Parameters that are read here; the driver gets the others. */
const ownParameters: ReadonlySet<string> = new Set([
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'uselibpqcompat',
])

/**
 * Reads an address as libpq does, with what it takes from the environment (`PGHOST`, `PGSSLMODE`, …) and from `~/.postgresql`.
 * @throws StoreOpenError that names what cannot be read
 */
export function postgresServer(address: string, env: Environment = process.env): PostgresServer {
  const [, account = '', authority = '', path = '', query = ''] = shape.exec(address) ?? notAnAddress()
  const parameters = new URLSearchParams(query)
  const [name, password] = splitOnce(account, ':')
  const { host, port } = hostOf(authority)
  const stated = (parameter: string, written: string | undefined, variable: string) =>
    parameters.get(parameter) || decoded(written) || env[variable] || undefined
  const server = stated('host', host, 'PGHOST') ?? 'localhost'
  if (server.includes(','))
    throw new StoreOpenError(
      'The address of PostgreSQL names several hosts: name the one that writes, or a pooler before them.',
    )
  const user = stated('user', name, 'PGUSER')
  const secret = stated('password', password, 'PGPASSWORD')
  const database = stated('dbname', path, 'PGDATABASE')
  return {
    host: server,
    port: portOf(stated('port', port, 'PGPORT') ?? '5432'),
    ...(user !== undefined && { user }),
    ...(secret !== undefined && { password: secret }),
    ...(database !== undefined && { database }),
    more: Object.fromEntries([...parameters].filter(([parameter]) => !ownParameters.has(parameter))),
    // A socket is not encrypted, whatever the mode says.
    encryptions: server.startsWith('/') ? [false] : encryptionsOf(parameters, env),
  }
}

/** The server as an operator reads it, without credentials. @throws StoreOpenError */
export function describeServer(address: string): string {
  const { host, port, database = '' } = postgresServer(address)
  return host.startsWith('/') ? `${host}/${database}` : `${host}:${port}/${database}`
}

function notAnAddress(): never {
  throw new StoreOpenError(
    `DATABASE_URL is not a PostgreSQL URL: it must look like ${addressForm} (leave it out to use SQLite).`,
  )
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    throw new StoreOpenError('The address of PostgreSQL has a % that begins no character: write %25 for it.')
  }
}

function splitOnce(text: string, mark: string): readonly [string, string | undefined] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

function hostOf(authority: string): { readonly host: string; readonly port: string | undefined } {
  const [, ipv6, behind] = /^\[([^\]]*)\](?::(.*))?$/.exec(authority) ?? []
  if (ipv6 !== undefined) return { host: ipv6, port: behind }
  const [host, port] = splitOnce(authority, ':')
  return { host, port }
}

function portOf(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new StoreOpenError(
    `The address of PostgreSQL has the port ${JSON.stringify(text)}: write a number up to 65535.`,
  )
}

function encryptionsOf(parameters: URLSearchParams, env: Environment): readonly Encryption[] {
  const file = (parameter: string, variable: string, own: string) =>
    parameters.get(parameter) || env[variable] || existing(join(homedir(), '.postgresql', own))
  const root = file('sslrootcert', 'PGSSLROOTCERT', 'root.crt')
  const certificate = file('sslcert', 'PGSSLCERT', 'postgresql.crt')
  const key = file('sslkey', 'PGSSLKEY', 'postgresql.key')
  const mode = modeOf(parameters, env)
  const files = () => ({
    ...(root !== undefined && root !== 'system' && { ca: read(root, 'sslrootcert') }),
    ...(certificate !== undefined && { cert: read(certificate, 'sslcert') }),
    ...(certificate !== undefined && key !== undefined && { key: read(key, 'sslkey') }),
  })
  switch (mode) {
    case 'disable':
      return [false]
    case 'allow':
      return [false, { ...files(), rejectUnauthorized: false }]
    case 'prefer':
      return [{ ...files(), rejectUnauthorized: false }, false]
    case 'require':
      // With a root certificate libpq verifies in this mode too.
      return [
        root === undefined || root === 'system'
          ? { ...files(), rejectUnauthorized: false }
          : ofAuthority(files()),
      ]
    case 'verify-ca':
      if (root === undefined || root === 'system')
        throw new StoreOpenError(
          'sslmode=verify-ca needs the authority that signs: add sslrootcert=FILE, or use verify-full, which trusts those of the system.',
        )
      return [ofAuthority(files())]
    case 'verify-full':
      return [{ ...files(), rejectUnauthorized: true }]
  }
}

/** Accepts every server whose certificate the authority signed, under any name. */
function ofAuthority(files: ConnectionOptions): ConnectionOptions {
  return { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined }
}

function modeOf(parameters: URLSearchParams, env: Environment): SslMode {
  const isOn = ['true', '1'].includes(parameters.get('ssl') ?? '')
  const stated = parameters.get('sslmode') || (isOn ? 'require' : env.PGSSLMODE) || 'prefer'
  // The driver's own word for it.
  const mode = stated === 'no-verify' ? 'require' : stated
  const known = sslModes.find((each) => each === mode)
  if (known !== undefined) return known
  throw new StoreOpenError(`sslmode is ${JSON.stringify(stated)}: write one of ${sslModes.join(', ')}.`)
}

function existing(file: string): string | undefined {
  return existsSync(file) ? file : undefined
}

function read(file: string, parameter: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new StoreOpenError(`${parameter} names ${file}, which cannot be read.`, { cause })
  }
}

/** A failure after which libpq tries the other of two encryptions: the server refuses this one, not the call. */
function refusesEncryption(error: unknown): boolean {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  const text = typeof message === 'string' ? message : ''
  return (
    code === '28000' ||
    /\bSSL\b|\bTLS\b|encryption/i.test(text) ||
    /^(ERR_SSL|ERR_TLS|EPROTO)/.test(String(code))
  )
}

/** The way to one server, with the encryption that it took last. */
export class PostgresTarget {
  readonly #server: PostgresServer
  #encryption = 0

  /** @throws StoreOpenError for an address that cannot be read */
  constructor(address: string) {
    this.#server = postgresServer(address)
  }

  /** Returns the driver's configuration for the next connection. */
  get config(): ClientConfig {
    const { host, port, user, password, database, more, encryptions } = this.#server
    const account = { user, password, database }
    return { ...more, ...account, host, port, ssl: encryptions[this.#encryption] ?? false } as ClientConfig
  }

  /** Connects; tries the other encryption where the mode has one and the server refuses this one. */
  async connect<Connection>(open: () => Promise<Connection>): Promise<Connection> {
    const tried = this.#encryption
    try {
      return await open()
    } catch (error) {
      if (this.#server.encryptions.length === 1 || !refusesEncryption(error)) throw error
      // Another connection may have learnt it meanwhile.
      if (this.#encryption === tried) this.#encryption = 1 - tried
      return open()
    }
  }
}
