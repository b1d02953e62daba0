/**
 * Holds `STREAMS` streams open at once against `TARGET` and prints how long the last one took, in ms.
 * Raw sockets: the loader must cost less than what it measures. `ABORT_AFTER` events it hangs up instead.
 */
const target = new URL(process.env['TARGET'] ?? '')
const streams = Number(process.env['STREAMS'] ?? 1000)
const total = Number(process.env['TOTAL'] ?? streams)
const abortAfter = Number(process.env['ABORT_AFTER'] ?? 0)

const body = JSON.stringify({
  model: process.env['MODEL'] ?? 'gpt-4o-mini',
  stream: true,
  messages: [{ role: 'user', content: 'Tell me a story, please.' }],
})
const request =
  `POST /v1/chat/completions HTTP/1.1\r\nHost: ${target.host}\r\nContent-Type: application/json\r\n` +
  `Authorization: Bearer ${process.env['KEY'] ?? 'none'}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const end = Buffer.from('0\r\n\r\n')
const event = Buffer.from('data: ')

let started = 0
let ended = 0
let failed = 0
let events = 0
const start = performance.now()

function countEvents(data: Buffer): number {
  let count = 0
  for (let at = data.indexOf(event); at !== -1; at = data.indexOf(event, at + event.length)) count += 1
  return count
}

function over(): void {
  ended += 1
  if (started < total) void one()
  else if (ended >= total) {
    process.stdout.write(`${JSON.stringify({ ms: performance.now() - start, events, failed })}\n`)
    process.exit(0)
  }
}

async function one(): Promise<void> {
  started += 1
  let seen = 0
  let responded = false
  let closed = false
  const close = () => {
    if (closed) return
    closed = true
    over()
  }
  await Bun.connect({
    hostname: target.hostname,
    port: Number(target.port),
    socket: {
      open: (socket) => void socket.write(request),
      data(socket, data) {
        if (!responded && !data.subarray(9, 12).equals(Buffer.from('200'))) failed += 1
        responded = true
        const count = countEvents(data)
        seen += count
        events += count
        if ((abortAfter > 0 && seen >= abortAfter) || data.subarray(-end.length).equals(end)) {
          if (abortAfter > 0) socket.terminate()
          else socket.end()
          close()
        }
      },
      close,
      error: close,
    },
  }).catch(() => {
    failed += 1
    close()
  })
}

for (let index = 0; index < Math.min(streams, total); index += 1) void one()
