/**
 * An upstream that streams `EVENTS` chat chunks, one every `GAP_MS`, to any number of callers.
 * One timer drives all streams, so that it can feed thousands from part of a core. Prints its port.
 */
const events = Number(process.env['EVENTS'] ?? 50)
const gapMs = Number(process.env['GAP_MS'] ?? 40)

const encoder = new TextEncoder()
const head = {
  id: 'chatcmpl-bench',
  object: 'chat.completion.chunk',
  created: 1760000000,
  model: 'gpt-4o-mini',
}
const frame = (rest: object): Uint8Array =>
  encoder.encode(`data: ${JSON.stringify({ ...head, ...rest })}\n\n`)
const delta = frame({
  choices: [{ index: 0, delta: { content: 'token ' }, logprobs: null, finish_reason: null }],
})
const stop = frame({ choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }] })
const usage = frame({
  choices: [],
  usage: { prompt_tokens: 24, completion_tokens: events, total_tokens: 24 + events },
})
const done = encoder.encode('data: [DONE]\n\n')

interface Streaming {
  readonly controller: ReadableStreamDefaultController<Uint8Array>
  nextAt: number
  sent: number
}
const streams = new Set<Streaming>()

function finish(stream: Streaming): void {
  streams.delete(stream)
  stream.controller.enqueue(stop)
  stream.controller.enqueue(usage)
  stream.controller.enqueue(done)
  stream.controller.close()
}

setInterval(() => {
  const now = performance.now()
  for (const stream of streams) {
    if (stream.nextAt > now) continue
    stream.nextAt += gapMs
    stream.sent += 1
    stream.controller.enqueue(delta)
    if (stream.sent >= events) finish(stream)
  }
}, 4)

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    await request.arrayBuffer()
    let stream: Streaming | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream = { controller, nextAt: performance.now() + gapMs, sent: 0 }
        streams.add(stream)
      },
      cancel() {
        if (stream !== undefined) streams.delete(stream)
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  },
})
process.stdout.write(`${server.port}\n`)
