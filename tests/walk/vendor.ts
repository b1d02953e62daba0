import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { anthropicProtocol } from '../support/protocols/anthropic.ts'
import { geminiProtocol } from '../support/protocols/gemini.ts'
import { openAiProtocol } from '../support/protocols/openai.ts'
import {
  type Counts,
  type Protocol,
  type ReceivedCall,
  receiveCall,
  type Scripted,
} from '../support/protocols/protocol.ts'
import { responsesProtocol } from '../support/protocols/responses.ts'
import { pause, sendJson, write } from '../support/upstream/sending.ts'

/** Behaviour of the vendor for calls that carry one mark. */
export interface Script {
  readonly counts?: Counts
  readonly pieces?: readonly string[]
  /** Pause before the first byte. */
  readonly delayMs?: number
  /** Pause before each piece of a stream. */
  readonly pieceDelayMs?: number
  /** Number of calls that are refused with 500 before one succeeds. */
  readonly failures?: number
  /** Images that are made, whatever was ordered. */
  readonly imagesMade?: number
}

export const operations = ['chat', 'count', 'image', 'song'] as const
export type OperationName = (typeof operations)[number]

/** A call as the vendor saw it. */
export interface VendorCall {
  readonly mark: string
  readonly operation: OperationName
  readonly protocol: string
  readonly path: string
  readonly credential: string
  /** The vendor did the work that it bills. */
  paid: boolean
  aborted: boolean
}

/** One vendor behind all channels of a walk: four chat formats, token counting, images and songs. */
export interface Vendor {
  readonly url: string
  readonly calls: readonly VendorCall[]
  script(mark: string, script: Script): void
  /** Ends of songs: `odd` has an unknown status, `lost` is not found any more. */
  readonly songs: Map<string, SongOutcome>
  stop(): Promise<void>
}

export const songOutcomes = ['made', 'failed', 'odd', 'lost'] as const
export type SongOutcome = (typeof songOutcomes)[number]

interface Route {
  readonly pattern: RegExp
  readonly operation: OperationName
  readonly protocol: string
  readonly serve: (call: ReceivedCall, script: Script, response: ServerResponse) => Promise<void> | void
}

const defaultCounts: Counts = { input: 20, cacheRead: 0, cacheWrite: 0, output: 10, reasoning: 0 }

const routes: readonly Route[] = [
  chat(/^\/v1\/chat\/completions$/, 'openai', openAiProtocol),
  chat(/^(?:\/api\.openai\.com)?\/v1\/responses$/, 'responses', responsesProtocol),
  chat(/^\/v1\/messages$/, 'anthropic', anthropicProtocol),
  chat(/^\/v1beta\/models\/[^/:]+:(?:stream)?[gG]enerateContent$/, 'gemini', geminiProtocol),
  count(/^(?:\/api\.openai\.com)?\/v1\/responses\/input_tokens$/, 'responses', { input_tokens: 7 }),
  count(/^\/v1\/messages\/count_tokens$/, 'anthropic', { input_tokens: 7 }),
  count(/^\/v1beta\/models\/[^/:]+:countTokens$/, 'gemini', { totalTokens: 7 }),
  {
    pattern: /^\/v1\/images\/generations$/,
    operation: 'image',
    protocol: 'openai',
    serve: (_, { imagesMade = 1 }, response) =>
      sendJson(response, 200, {
        created: 1,
        data: Array.from({ length: imagesMade }, () => ({ b64_json: 'iVBORw0KGgo=' })),
      }),
  },
]

/** Starts the vendor on a free loopback port. */
export async function startVendor(): Promise<Vendor> {
  const calls: VendorCall[] = []
  const scripts = new Map<string, Script>()
  const failed = new Map<string, number>()
  const songs = new Map<string, SongOutcome>()
  const sockets = new Set<Socket>()

  const server = createServer(async (request, response) => {
    const received = await receiveCall(request)
    if (received.path.startsWith('/suno/')) return serveMusic(received, response)
    const route = routes.find(({ pattern }) => pattern.test(received.path))
    if (route === undefined)
      return sendJson(response, 404, { error: { message: `no such path: ${received.path}` } })
    const call = seen(received, route.operation, route.protocol)
    response.on('close', () => {
      call.aborted = !response.writableFinished
    })
    const script = scripts.get(call.mark) ?? {}
    const failures = failed.get(call.mark) ?? 0
    if (failures < (script.failures ?? 0)) {
      failed.set(call.mark, failures + 1)
      return sendJson(response, 500, { error: { message: 'the vendor is down', type: 'server_error' } })
    }
    call.paid = route.operation !== 'count'
    await route.serve(received, script, response)
  })

  function seen(received: ReceivedCall, operation: OperationName, protocol: string): VendorCall {
    const { headers, path } = received
    const call = {
      mark: markIn(received.body.toString()),
      operation,
      protocol,
      path,
      credential: headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization ?? '',
      paid: false,
      aborted: false,
    }
    calls.push(call)
    return call
  }

  function serveMusic(received: ReceivedCall, response: ServerResponse): void {
    if (received.path === '/suno/fetch') {
      const { ids } = received.json as { ids: string[] }
      const data = ids.flatMap((id) => songReport(id, songs.get(id)))
      sendJson(response, 200, { code: 'success', message: '', data })
      return
    }
    const call = seen(received, 'song', 'suno')
    call.paid = true
    const id = `song-${call.mark}`
    sendJson(response, 200, { code: 'success', message: '', data: id })
  }

  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    script: (mark, script) => void scripts.set(mark, script),
    songs,
    async stop() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** The mark that a caller put into its prompt; empty for none. */
function markIn(body: string): string {
  return /mark-\d+-\d+/.exec(body)?.[0] ?? ''
}

function chat(pattern: RegExp, name: string, protocol: Protocol): Route {
  return {
    pattern,
    operation: 'chat',
    protocol: name,
    async serve(call, script, response) {
      const { counts = defaultCounts, pieces = ['Hello, ', markIn(call.body.toString())] } = script
      const content: Scripted = { text: pieces, counts }
      await pause(script.delayMs)
      if (!protocol.wantsStream(call)) return sendJson(response, 200, protocol.buffered(content, call))
      response.writeHead(200, { 'content-type': protocol.streamType })
      for (const { bytes, delivers } of protocol.frames(content, call)) {
        if (delivers) await pause(script.pieceDelayMs)
        if (response.destroyed) return
        await write(response, bytes)
      }
      response.end()
    },
  }
}

function count(pattern: RegExp, protocol: string, body: object): Route {
  return { pattern, operation: 'count', protocol, serve: (_, __, response) => sendJson(response, 200, body) }
}

function songReport(id: string, fate: SongOutcome | undefined): readonly object[] {
  if (fate === undefined || fate === 'lost') return []
  const report = { task_id: id, action: 'MUSIC', submit_time: 1, start_time: 1, finish_time: 2 }
  const clip = { id, title: 'Song', status: 'complete', audio_url: 'https://cdn.example/song.mp3' }
  if (fate === 'made') return [{ ...report, status: 'SUCCESS', fail_reason: '', data: [clip] }]
  const status = fate === 'failed' ? 'FAILURE' : 'CONTEMPLATING'
  return [{ ...report, status, fail_reason: fate === 'failed' ? 'no melody' : '', data: [] }]
}
