import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createServer } from 'node:tls'
import { findTool } from '../../../../scripts/lib/tools.mjs'
import { ConnectionLostError } from '../wire/body.ts'
import { createHttpClient } from './http-client.ts'
import { ConnectError, httpTarget } from './http-message.ts'
import { errorOf } from './test-support/error-of.ts'
import { startServer } from './test-support/scripted-server.ts'

const program = findTool('openssl')
const child = new URL('./test-support/post-once.ts', import.meta.url).pathname
const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-tls-'))
const secure = (url: string) => url.replace('http:', 'https:')
const at = (name: string) => path.join(folder, name)

async function openssl(command: string): Promise<void> {
  const running = Bun.spawn([program ?? '', ...command.split(' ')], { cwd: folder, stderr: 'pipe' })
  if ((await running.exited) !== 0) throw new Error(await running.stderr.text())
}

const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -batch'

interface Subject {
  readonly common?: string
  /** Subject alternative name; none when absent. */
  readonly alternative?: string
}

/** A server with a certificate of our authority. */
async function serveAs(name: string, { common = name, alternative }: Subject) {
  const extension = alternative === undefined ? 'keyUsage=digitalSignature' : `subjectAltName=${alternative}`
  writeFileSync(at(`${name}.ext`), extension)
  await openssl(`req -new ${newKey} -subj /CN=${common} -keyout ${name}.key -out ${name}.csr`)
  await openssl(
    `x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile ${name}.ext -out ${name}.pem`,
  )
  return startSecureServer(name)
}

function credentialsOf(name: string) {
  return { key: Bun.file(at(`${name}.key`)), cert: Bun.file(at(`${name}.pem`)) }
}

/** Responds to every request, and records it and the requested server names (SNI). */
async function startSecureServer(name: string) {
  const received: string[] = []
  const serverNames: (string | false | null)[] = []
  const server = createServer(
    { key: readFileSync(at(`${name}.key`)), cert: readFileSync(at(`${name}.pem`)) },
    (socket) => {
      serverNames.push(socket.servername)
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        received.push(String(bytes))
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nwelcome')
      })
    },
  )
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, received, serverNames, close: () => void server.close() }
}

type SecureServer = Awaited<ReturnType<typeof startSecureServer>>
let localhost: SecureServer
let elsewhere: SecureServer
let numbered: SecureServer
let common: SecureServer
let wildcard: SecureServer

beforeAll(async () => {
  if (program === undefined) return
  await openssl(`req -x509 ${newKey} -subj /CN=authority -days 2 -keyout ca.key -out ca.pem`)
  localhost = await serveAs('localhost', { alternative: 'DNS:localhost' })
  elsewhere = await serveAs('elsewhere', { alternative: 'DNS:elsewhere.example', common: 'localhost' })
  numbered = await serveAs('numbered', { alternative: 'IP:127.0.0.1', common: 'localhost' })
  common = await serveAs('common', { common: 'localhost' })
  wildcard = await serveAs('wildcard', { alternative: 'DNS:*.wild.example' })
})
afterAll(() => {
  for (const server of [localhost, elsewhere, numbered, common, wildcard]) server?.close()
  rmSync(folder, { recursive: true })
})

interface Call {
  readonly trusting?: boolean
  readonly address?: string
  readonly body?: string
}

/** Returns the message of a client about a call that trusts the authority, or does not. */
async function reported(
  url: string,
  { trusting = true, address, body = 'secret' }: Call = {},
): Promise<string> {
  const command = [process.execPath, child, url, ...(address === undefined ? [] : [address])]
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusting ? at('ca.pem') : '' }
  return await Bun.spawn(command, { env, stdin: new Blob([body]) }).stdout.text()
}

describe.skipIf(program === undefined)('a secure connection', () => {
  it('is made to a server with a trusted certificate for the host', async () => {
    expect(await reported(`https://localhost:${localhost.port}/`)).toBe('welcome')
    expect(localhost.received.join()).toContain(`host: localhost:${localhost.port}\r\n`)
  })

  it('is made to a given address with a trusted certificate for the host', async () => {
    expect(await reported(`https://localhost:${localhost.port}/`, { address: '127.0.0.1' })).toBe('welcome')
    const url = `https://elsewhere.example:${elsewhere.port}/`
    expect(await reported(url, { address: '127.0.0.1' })).toBe('welcome')
    expect(elsewhere.received.length).toBe(1)
  })

  it('is made to an address that is the host with a trusted certificate for it', async () => {
    expect(await reported(`https://127.0.0.1:${numbered.port}/`)).toBe('welcome')
  })

  it('is made with a certificate for all names of a domain', async () => {
    const url = `https://one.wild.example:${wildcard.port}/`
    expect(await reported(url, { address: '127.0.0.1' })).toBe('welcome')
  })

  it('announces the name of the host, also where it is made to a given address, and no address', async () => {
    localhost.serverNames.length = 0
    await reported(`https://localhost:${localhost.port}/`)
    await reported(`https://localhost:${localhost.port}/`, { address: '127.0.0.1' })
    expect(localhost.serverNames).toEqual(['localhost', 'localhost'])
    numbered.serverNames.length = 0
    await reported(`https://127.0.0.1:${numbered.port}/`)
    expect(numbered.serverNames.map(Boolean)).toEqual([false])
  })

  it('carries long requests and long answers', async () => {
    const echo = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: credentialsOf('localhost'),
      fetch: async (request) => new Response(await request.bytes()),
    })
    const body = '0123456789é'.repeat(200_000)
    const text = await reported(`https://localhost:${echo.port}/`, { body })
    expect(text.length).toBe(body.length)
    expect(Bun.hash(text)).toBe(Bun.hash(body))
    await echo.stop(true)
  })

  it('is closed when its request is given up while it is being made', async () => {
    const server = await startServer(() => {})
    const client = createHttpClient()
    const exchange = client.send({
      target: httpTarget(secure(server.url), new Headers()),
      method: 'POST',
      body: 'secret',
    })
    while (server.connections.length === 0) await Bun.sleep(1)
    exchange.abort()
    expect(await errorOf(exchange.response)).toBeInstanceOf(ConnectionLostError)
    const isClosed = await server.connections[0]?.closesSoon()
    server.close()
    client.close()
    expect(isClosed).toBe(true)
  })
})

describe.skipIf(program === undefined)('a request', () => {
  it.each([
    ['another name', () => elsewhere, 'localhost', {}],
    ['another name, though to the given address', () => elsewhere, 'localhost', { address: '127.0.0.1' }],
    ['the host in its common name alone', () => common, 'localhost', {}],
    ['another domain, and deeper', () => wildcard, 'one.two.wild.example', { address: '127.0.0.1' }],
    [
      'the address alone, and the host in its common name',
      () => numbered,
      'localhost',
      { address: '127.0.0.1' },
    ],
    ['a name alone, where the host is an address', () => localhost, '127.0.0.1', {}],
    ['the host by an unknown authority', () => localhost, 'localhost', { trusting: false }],
  ] as const)('is never sent to a server with a certificate for %s', async (_, server, host, how) => {
    const { port, received } = server()
    const before = received.length
    expect(await reported(`https://${host}:${port}/`, how)).toBe('ConnectError')
    expect(received.length).toBe(before)
  })

  it('is never sent to a server that does not speak TLS', async () => {
    const server = await startServer(({ socket }) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    const client = createHttpClient()
    const { response } = client.send({
      target: httpTarget(secure(server.url), new Headers()),
      method: 'POST',
      body: 'secret',
    })
    expect(await errorOf(response)).toBeInstanceOf(ConnectError)
    client.close()
    server.close()
  })
})
