/**
 * An upstream that serves polls for tasks, as Midjourney proxies do. Every tenth response reports progress of a task.
 * Prints its port; `GET /asked` returns the number of polls of each channel (by its secret), and the shortest pause between two.
 */
interface Requested {
  questions: number
  lastMs: number
  minPauseMs: number
}

const requested = new Map<string, Requested>()
let responses = 0

const button = { customId: 'MJ::JOB::upsample::1::6f1a', emoji: '', label: 'U1', type: 2, style: 2 }
const drawing = {
  action: 'IMAGINE',
  promptEn: 'a lighthouse in a storm, oil on canvas, wide angle',
  description: 'submitted',
  state: '',
  submitTime: 1_760_000_000_000,
  startTime: 1_760_000_001_000,
  finishTime: 0,
  imageUrl: 'https://cdn.example/attachments/1234567890/progress.webp',
  status: 'IN_PROGRESS',
  failReason: '',
  buttons: Array.from({ length: 9 }, () => button),
  properties: { finalPrompt: 'a lighthouse in a storm, oil on canvas, wide angle --v 7' },
}

function note(secret: string): void {
  const now = performance.now()
  const before = requested.get(secret)
  const pause = before === undefined ? Number.POSITIVE_INFINITY : now - before.lastMs
  const minPauseMs = Math.min(before?.minPauseMs ?? Number.POSITIVE_INFINITY, pause)
  requested.set(secret, { questions: (before?.questions ?? 0) + 1, lastMs: now, minPauseMs })
}

function found(id: string) {
  responses += 1
  const progress = responses % 10 === 0 ? Math.floor(Math.random() * 90) + 1 : 1
  return { ...drawing, id, progress: `${progress}%` }
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    if (request.method === 'GET') return Response.json(Object.fromEntries(requested))
    note(request.headers.get('mj-api-secret') ?? '')
    const { ids } = (await request.json()) as { ids: string[] }
    return Response.json(ids.map(found))
  },
})
process.stdout.write(`${server.port}\n`)
