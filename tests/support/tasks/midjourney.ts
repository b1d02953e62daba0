/** A task as the proxy reports it. */
export type ProxyTask = Record<string, unknown> & { readonly id: string }

export interface ProxyCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Headers
  /** Raw. */
  readonly body: string
}

/** A response of the proxy: an object becomes JSON, the default status is 200. */
export interface ProxyReply {
  readonly status?: number
  readonly body: unknown
}

/** A fake Midjourney proxy: accepts submissions, does no work, and reports the tasks that the test sets. */
export interface MidjourneyUpstream {
  /** Root for a channel's base URL. */
  readonly url: string
  /** Submissions and seeds, oldest first. */
  readonly calls: readonly ProxyCall[]
  /** Ids that each question about tasks named. */
  readonly requested: readonly (readonly string[])[]
  /** The responses to the next submissions, instead of a success. */
  reply(...replies: readonly ProxyReply[]): void
  /** Sets the report of a task from now on. */
  tell(task: ProxyTask): void
  /** Adds a value to every list of tasks, whatever the request. */
  tellOdd(thing: unknown): void
  /** Serves a reply at an address of its own; returns the address. */
  show(path: string, reply: () => Response): string
  /** Hangs up on every caller, until called with `false`. */
  vanish(gone: boolean): void
  stop(): Promise<void>
}

export const proxySecret = 'mj-secret'

export async function startMidjourneyUpstream(): Promise<MidjourneyUpstream> {
  const calls: ProxyCall[] = []
  const requested: (readonly string[])[] = []
  const replies: ProxyReply[] = []
  const tasks = new Map<string, ProxyTask>()
  const odd: unknown[] = []
  const visible = new Map<string, () => Response>()
  let isHidden = false
  let lastId = 1_320_098_173_412_545n

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname: path, search: query } = new URL(request.url)
      const picture = visible.get(path)
      if (picture !== undefined) return picture()
      if (isHidden) return new Response('gone', { status: 503 })
      if (request.headers.get('mj-api-secret') !== proxySecret)
        return Response.json({ description: 'unauthorized', type: 'error' }, { status: 401 })
      const body = await request.text()
      if (path === '/mj/task/list-by-condition') {
        const { ids } = JSON.parse(body) as { ids: string[] }
        requested.push(ids)
        return Response.json([...odd, ...ids.flatMap((id) => tasks.get(id) ?? [])])
      }
      calls.push({ method: request.method, path, query, headers: request.headers, body })
      const next = replies.shift()
      if (next !== undefined) return reported(next)
      if (path.endsWith('/image-seed'))
        return reported({ body: { code: 1, description: 'success', result: '1234567890' } })
      lastId += 1n
      return reported({ body: { code: 1, description: 'success', result: String(lastId), properties: {} } })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    requested,
    reply: (...next) => void replies.push(...next),
    tell: (task) => void tasks.set(task.id, { ...tasks.get(task.id), ...task }),
    tellOdd: (thing) => void odd.push(thing),
    show(path, reply) {
      visible.set(path, reply)
      return `http://127.0.0.1:${server.port}${path}`
    },
    vanish(gone) {
      isHidden = gone
    },
    stop: () => server.stop(true),
  }
}

function reported({ status = 200, body }: ProxyReply): Response {
  return typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status })
}
