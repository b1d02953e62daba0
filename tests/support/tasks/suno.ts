import type { ProxyCall, ProxyReply, ProxyTask } from './midjourney.ts'

/** A fake Suno API: accepts submissions, does no work, and reports the tasks that the test sets. */
export interface SunoUpstream {
  /** Root for a channel's base URL. */
  readonly url: string
  readonly calls: readonly ProxyCall[]
  /** The responses to the next submissions, instead of a success. */
  reply(...replies: readonly ProxyReply[]): void
  /** Sets the report of a task from now on. */
  tell(id: string, task: Omit<ProxyTask, 'id'>): void
  stop(): Promise<void>
}

export const sunoToken = 'suno-token'

export async function startSunoUpstream(): Promise<SunoUpstream> {
  const calls: ProxyCall[] = []
  const replies: ProxyReply[] = []
  const tasks = new Map<string, object>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname: path, search: query } = new URL(request.url)
      if (request.headers.get('authorization') !== `Bearer ${sunoToken}`)
        return Response.json({ code: 'unauthorized', message: 'bad token', data: null }, { status: 401 })
      const body = await request.text()
      if (path === '/suno/fetch') {
        const { ids } = JSON.parse(body) as { ids: string[] }
        const data = ids.flatMap((id) => (tasks.has(id) ? [{ task_id: id, ...tasks.get(id) }] : []))
        return Response.json({ code: 'success', message: '', data })
      }
      calls.push({ method: request.method, path, query, headers: request.headers, body })
      const { status = 200, body: stated } = replies.shift() ?? {
        body: { code: 'success', message: '', data: crypto.randomUUID() },
      }
      return Response.json(stated, { status })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    reply: (...next) => void replies.push(...next),
    tell: (id, task) => void tasks.set(id, task),
    stop: () => server.stop(true),
  }
}
