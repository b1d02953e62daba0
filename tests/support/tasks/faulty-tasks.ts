/** The fault of a task: each poll for it, or its part of a list, gets this response. */
export const faults = ['unknown word', 'no address', 'not known', 'breakdown', 'malformed'] as const
export type Fault = (typeof faults)[number]

export interface FaultyTasksUpstream {
  readonly url: string
  /** Questions so far. */
  readonly requested: number
  /** While it is, every question and order is refused. */
  isDown: boolean
  stop(): Promise<void>
}

/**
 * One upstream in the forms of Midjourney Proxy, Suno API and Kling. A task whose prompt begins with `odd:` is what follows;
 * all others are finished when they are first asked about.
 */
export function startFaultyTasksUpstream(): FaultyTasksUpstream {
  const prompts = new Map<string, string>()
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: reply })
  const upstream = { url: `http://127.0.0.1:${server.port}`, requested: 0, isDown: false, stop }

  function take({ prompt = '' }: { readonly prompt?: string }): string {
    const id = String(1_320_098_173_000_000 + prompts.size)
    prompts.set(id, prompt)
    return id
  }

  function faultOf(id: string): Fault | undefined {
    const [, kind] = /^odd:(.*)$/.exec(prompts.get(id) ?? '') ?? []
    return faults.find((fault) => fault === kind)
  }

  async function reply(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (upstream.isDown) return new Response('bad gateway', { status: 502 })
    const body =
      request.method === 'POST' ? ((await request.json()) as { prompt?: string; ids?: string[] }) : {}
    const isVideo = request.method === 'POST' && pathname === '/v1/videos/text2video'
    if (isVideo) return Response.json({ code: 0, data: { task_id: take(body), task_status: 'submitted' } })
    const taken = orders.find(([path]) => pathname.startsWith(path))?.[1]
    if (taken !== undefined) return Response.json(taken(take(body)))
    upstream.requested += 1
    const { ids = [] } = body
    if (pathname === '/mj/task/list-by-condition') return listed(ids, drawing, (list) => list)
    if (pathname === '/suno/fetch')
      return listed(ids, song, (data) => ({ code: 'success', message: '', data }))
    return video(pathname.split('/').at(-1) ?? '')
  }

  function listed(
    ids: readonly string[],
    reported: (id: string, fault: Fault | undefined) => object,
    wrap: (list: readonly object[]) => object,
  ): Response {
    const kinds = ids.map(faultOf)
    if (kinds.includes('breakdown')) return new Response('out of order', { status: 500 })
    const known = ids.filter((id) => faultOf(id) !== 'not known')
    const text = JSON.stringify(wrap(known.map((id) => reported(id, faultOf(id)))))
    return new Response(kinds.includes('malformed') ? text.slice(0, -1) : text)
  }

  function video(id: string): Response {
    const fault = faultOf(id)
    const task = { task_id: id, task_status: 'succeed', task_status_msg: '' }
    const made = { videos: [{ id: 'v', url: 'https://cdn.example/v.mp4', duration: '5' }] }
    if (fault === 'breakdown') return new Response('out of order', { status: 500 })
    if (fault === 'malformed') return new Response('{"code":0,')
    if (fault === 'not known') return Response.json({ code: 1203, message: 'no such task' }, { status: 404 })
    if (fault === 'no address')
      return Response.json({ code: 0, data: { ...task, task_result: { videos: [] } } })
    if (fault === 'unknown word')
      return Response.json({ code: 0, data: { ...task, task_status: 'pondering' } })
    return Response.json({ code: 0, data: { ...task, task_result: made } })
  }

  async function stop(): Promise<void> {
    await server.stop(true)
  }
  return upstream
}

/** The response to the submission of a task, by its path. */
const orders: readonly (readonly [path: string, accepted: (id: string) => object])[] = [
  ['/mj/submit/imagine', (result) => ({ code: 1, description: 'success', result })],
  ['/suno/submit/', (data) => ({ code: 'success', message: '', data })],
]

function drawing(id: string, fault: Fault | undefined): object {
  const status = fault === 'unknown word' ? 'PONDERING' : 'SUCCESS'
  return {
    id,
    status,
    progress: '100%',
    imageUrl: fault === 'no address' ? '' : 'https://cdn.example/1.webp',
  }
}

function song(task_id: string, fault: Fault | undefined): object {
  const clip = { id: 'c', title: 'Song', status: 'complete', audio_url: 'https://cdn.example/c.mp3' }
  const status = fault === 'unknown word' ? 'PONDERING' : 'SUCCESS'
  return { task_id, status, fail_reason: '', data: fault === 'no address' ? [] : [clip] }
}
