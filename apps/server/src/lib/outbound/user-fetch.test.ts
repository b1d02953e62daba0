import { afterEach, describe, expect, it } from 'bun:test'
import { OutboundForbiddenError, type OutboundGuard } from './outbound-guard.ts'
import { createUserFetch } from './user-fetch.ts'

const servers: { stop(hard: boolean): unknown }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true)
})

function startWorker() {
  const requested: unknown[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      requested.push(await request.json())
      return new Response('what the target said', { status: 201 })
    },
  })
  servers.push(server)
  return { requested, url: `http://127.0.0.1:${server.port}` }
}

const open: OutboundGuard = { check: async () => ['192.0.2.1'] }
const closed: OutboundGuard = {
  check: async () => {
    throw new OutboundForbiddenError('not public')
  },
}
const limits = { timeoutMs: 1000, maxBytes: 1000 }

async function refused(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => false,
    (error: unknown) => error instanceof OutboundForbiddenError,
  )
}

describe('a request to an address that a user chose', () => {
  it('goes through the configured worker, with its key, the headers and JSON as JSON', async () => {
    const worker = startWorker()
    const fetchFor = createUserFetch({ guard: open, worker: () => ({ url: worker.url, key: 'k' }) })
    const response = await fetchFor({
      url: 'https://there.example/hook',
      method: 'POST',
      headers: { 'X-One': '1' },
      headersByWorker: { 'X-Two': '2' },
      json: '{"a":[1,"ü"]}',
      ...limits,
    })
    expect(response).toMatchObject({ status: 201, body: 'what the target said' })
    expect(worker.requested).toEqual([
      {
        url: 'https://there.example/hook',
        key: 'k',
        method: 'POST',
        headers: { 'X-One': '1', 'X-Two': '2', 'content-type': 'application/json' },
        body: { a: [1, 'ü'] },
      },
    ])
  })

  it('fetches through the worker without a body', async () => {
    const worker = startWorker()
    const fetchFor = createUserFetch({ guard: open, worker: () => ({ url: worker.url, key: '' }) })
    await fetchFor({ url: 'https://there.example/a.png', ...limits })
    expect(worker.requested).toEqual([
      { url: 'https://there.example/a.png', key: '', method: 'GET', headers: {} },
    ])
  })

  it('is refused for what is not https, with a worker and without', async () => {
    for (const worker of [startWorker(), undefined]) {
      const fetchFor = createUserFetch({ guard: open, worker: () => worker && { url: worker.url, key: 'k' } })
      for (const url of ['http://there.example/', 'ftp://there.example/', 'there.example', ''])
        expect(await refused(fetchFor({ url, ...limits }))).toBe(true)
      expect(worker?.requested ?? []).toEqual([])
    }
  })

  it('is refused for what the guard refuses, with a worker and without', async () => {
    for (const worker of [startWorker(), undefined]) {
      const fetchFor = createUserFetch({
        guard: closed,
        worker: () => worker && { url: worker.url, key: 'k' },
      })
      expect(await refused(fetchFor({ url: 'https://10.0.0.1/', ...limits }))).toBe(true)
      expect(worker?.requested ?? []).toEqual([])
    }
  })
})
