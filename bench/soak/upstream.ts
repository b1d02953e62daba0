import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { completionOf, model } from '../samples.ts'

/** Responses by what a call names as its `user`, which passes the gateway as it is. */
const completions: ReadonlyMap<string, string> = new Map([
  ['short', completionOf(40)],
  ['100kB', completionOf(100_000)],
  ['1MB', completionOf(1_000_000)],
])
const eventsPerStream = 40
const gapMs = 40
const failEvery = 10

/** Starts an upstream of which each tenth call fails: by a status, by another, or with its connection. Returns its address. */
export async function startSoakUpstream(): Promise<string> {
  let calls = 0
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    calls += 1
    if (calls % failEvery === 0) fail(response, (calls / failEvery) % 3)
    else if (body.includes('"stream":true')) stream(response)
    else complete(response, /"user":"(\w+)"/.exec(body)?.[1] ?? 'short')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('latin1')
}

function fail(response: ServerResponse, way: number): void {
  if (way === 0) response.destroy()
  else response.writeHead(way === 1 ? 500 : 503).end('{"error":{"message":"The server is overloaded"}}')
}

function complete(response: ServerResponse, size: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(completions.get(size))
}

function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let sent = 0
  const timer = setInterval(() => {
    sent += 1
    if (sent <= eventsPerStream) response.write(event({ delta: { content: 'token ' }, finish_reason: null }))
    else response.end(`${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
  }, gapMs)
  response.once('close', () => clearInterval(timer))
}

function event(choice: object): string {
  const chunk = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1760000000, model }
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`
}
