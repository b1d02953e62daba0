import { createHttpClient, type HttpClient } from '../http-client.ts'
import type { HttpExchange, RequestBody } from '../http-message.ts'
import { httpTarget } from '../http-message.ts'
import {
  type Script,
  type ScriptedServer,
  type ServerSideConnection,
  startServer,
} from './scripted-server.ts'

export const megabyte = 1024 * 1024
export const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
export const chunkedHead = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
export const endlessHead = 'HTTP/1.1 200 OK\r\n\r\n'
export const lengthHead = (length: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`

interface World {
  client: HttpClient
  server: ScriptedServer
}

/** The client of the present test, and the server that it started. */
export const world = {} as World
let now = 0

/** Begins a test: it has a client of its own, whose clock stands still. */
export function openWorld(connectTimeoutMs?: number): void {
  now = 1_700_000_000_000
  useNewClient(connectTimeoutMs)
}

export function closeWorld(): void {
  world.client.close()
  world.server?.close()
}

export function useNewClient(connectTimeoutMs = 5000): void {
  world.client = createHttpClient({ clock: { now: () => now }, connectTimeoutMs })
}

export function passTime(milliseconds: number): void {
  now += milliseconds
}

export async function serve(...scripts: readonly Script[]): Promise<void> {
  world.server = await startServer(...scripts)
}

export function post(body = '', url = world.server.url, addresses?: readonly string[]): HttpExchange {
  return world.client.send({ target: httpTarget(url, new Headers()), method: 'POST', body }, { addresses })
}

/** A request of any method to the server of the test. */
export function send(method: string, body?: RequestBody): HttpExchange {
  return world.client.send({ target: httpTarget(world.server.url, new Headers()), method, body })
}

/** Body of a response, however long. */
export async function textOf({ response }: HttpExchange): Promise<string> {
  return Buffer.from((await (await response).buffered(Number.POSITIVE_INFINITY)) ?? []).toString()
}

export async function pieceOf({ response }: HttpExchange): Promise<string> {
  return Buffer.from((await (await response).read()).value ?? []).toString()
}

/** Connection number `index`, once it has been made. */
async function connectionOf(index: number): Promise<ServerSideConnection> {
  for (;;) {
    const connection = world.server.connections[index]
    if (connection !== undefined) return connection
    await Bun.sleep(1)
  }
}

/** The connection is closed although the server did nothing to it. */
export async function expectClosed(index: number): Promise<void> {
  const isClosed = await (await connectionOf(index)).closesSoon()
  if (!isClosed) throw new Error(`connection ${index} is not closed`)
}

/** A number that the test does not control has stopped growing. */
export async function settled(value: () => number): Promise<void> {
  for (let last = -1; last !== value(); await Bun.sleep(50)) last = value()
}

/** Responds to its first request, and does this with the next. */
export function thenOnReuse(second: (connection: ServerSideConnection) => unknown): Script {
  return async (connection) => {
    await connection.request()
    connection.socket.write(ok)
    await connection.request()
    second(connection)
  }
}

/** Responds to its first request with these bytes, and sends nothing more. */
export function sendingOnce(bytes: string | Buffer): Script {
  return async (connection) => {
    await connection.request()
    connection.socket.write(bytes)
  }
}

/** Closes the connection instead of a response. */
export const ending: Script = async (connection) => {
  await connection.request()
  connection.socket.end()
}

/** Every request is its response. */
export const echoing: Script = async (connection) => {
  for (;;) {
    const request = await connection.request()
    const body = request.subarray(request.indexOf('\r\n\r\n') + 4)
    connection.socket.write(Buffer.concat([Buffer.from(lengthHead(body.length)), body]))
  }
}
