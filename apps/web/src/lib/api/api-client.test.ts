import { afterAll, afterEach, beforeAll, describe, expect, it } from 'bun:test'
import { calls } from '@tollgate/api'
import { storeUser } from '../session/session.ts'
import { ApiError, addressOf, connectApiClient, request, requestWithExtra } from './api-client.ts'

/** The last request of the loopback server, and its next response. */
let seen = { url: new URL('http://none.invalid'), method: '', headers: new Headers() }
let response: () => Response | Promise<Response> = () =>
  Response.json({ success: true, message: '', data: [] })
let unauthorized = 0
/** Outcomes of the next proofs. */
const proofs: boolean[] = []

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(incoming) {
    seen = {
      url: new URL(incoming.url),
      method: incoming.method,
      headers: new Headers([...incoming.headers]),
    }
    return response()
  },
})
const browserFetch = globalThis.fetch

beforeAll(() => {
  // A browser resolves paths against the page's address; here the server's.
  globalThis.fetch = Object.assign(
    (path: string | URL | Request, init?: RequestInit) =>
      browserFetch(new URL(String(path), server.url), init),
    { preconnect: browserFetch.preconnect },
  )
  connectApiClient({
    language: () => 'zh',
    text: (code, { status }) => `${code} ${status}`,
    onUnauthorized: () => {
      unauthorized++
    },
    prove: async () => proofs.shift() ?? false,
    consent: async () => undefined,
  })
})
afterEach(() => {
  unauthorized = 0
})
afterAll(async () => {
  globalThis.fetch = browserFetch
  await server.stop(true)
})

const failure = async (status: number, body: unknown): Promise<ApiError> => {
  response = () => Response.json(body, { status })
  const error = await request(calls.users.self).catch((cause: unknown) => cause)
  if (!(error instanceof ApiError)) throw new Error('expected an ApiError')
  return error
}

describe('request', () => {
  it('returns data and sends the user id, the language and no-store', async () => {
    response = () => Response.json({ success: true, message: '', data: [{ id: 7 }] })
    const data: unknown = await request(calls.tokens.list, { query: { p: 0, size: 20 } })
    expect(data).toEqual([{ id: 7 }])
    expect(seen.url.search).toBe('?p=0&size=20')
    expect(seen.headers.get('new-api-user')).toBe('-1')
    expect(seen.headers.get('accept-language')).toBe('zh')
    expect(seen.headers.get('cache-control')).toBe('no-store')
  })

  it('sends a body as JSON', async () => {
    response = () => Response.json({ success: true, message: '', data: {} })
    await request(calls.users.login, { query: {}, body: { username: 'ada', password: 'secret' } })
    expect(seen.method).toBe('POST')
    expect(seen.headers.get('content-type')).toBe('application/json')
  })

  it('sends a change once while it is on its way, and again when it is done or another one came between', async () => {
    const bodies: string[] = []
    response = async () => {
      bodies.push(seen.url.pathname)
      await new Promise((resolve) => setTimeout(resolve, 20))
      return Response.json({ success: true, message: '', data: { sent: bodies.length } })
    }
    const add = (quota: number) =>
      request(calls.userAdmin.update, { body: { id: 7, quota_change: quota } }) as Promise<unknown>
    expect(await Promise.all([add(5), add(5)])).toEqual([{ sent: 1 }, { sent: 1 }])
    await add(5)
    expect(bodies).toHaveLength(2)
    await Promise.all([add(5), add(-5), add(5)])
    expect(bodies).toHaveLength(5)
    const acts = [calls.channels.test, calls.channels.updateBalance, calls.channels.fetchModels] as const
    for (const call of acts) {
      const press = () => request(call, { params: { id: 3 } }) as Promise<unknown>
      await Promise.all([press(), request(calls.status.read), press()])
    }
    expect(bodies).toHaveLength(5 + 2 * acts.length)
    const list = () => request(calls.tokens.list, { query: {} })
    await Promise.all([list(), add(5), list()])
    expect(bodies).toHaveLength(14)
  })

  it('returns the fields beside data', async () => {
    response = () => Response.json({ success: true, message: '', time: 0.71 })
    const { extra } = await requestWithExtra(calls.channels.test, { params: { id: 3 } })
    expect(extra.time).toBe(0.71)
    expect(seen.url.pathname).toBe('/api/channel/test/3')
  })

  it('reads the sentence of a refused wallet call where wallets say it', async () => {
    response = () => Response.json({ message: 'error', data: 'Too little', code: 'top_up_amount_low' })
    const error: unknown = await request(calls.wallet.amount, { body: { amount: 0 } }).catch(
      (cause: unknown) => cause,
    )
    expect(error).toMatchObject({ message: 'Too little', code: 'top_up_amount_low' })
  })

  it('reads a wallet call that succeeded by its message, since it says no success', async () => {
    response = () => Response.json({ message: 'success', data: '7.30' })
    expect(await request(calls.wallet.amount, { body: { amount: 1 } })).toBe('7.30')
  })

  it('throws the server’s own sentence for a business refusal', async () => {
    const error = await failure(200, {
      success: false,
      message: 'Please enter a name',
      code: 'token_name_required',
    })
    expect(error).toMatchObject({ message: 'Please enter a name', code: 'token_name_required', status: 200 })
  })

  it('reports the end of the session once per response', async () => {
    const error = await failure(401, { success: false, message: 'no' })
    expect(error).toMatchObject({ code: 'unauthorized', status: 401 })
    expect(unauthorized).toBe(1)
  })

  it('leaves alone a session that began after the refused call', async () => {
    const person = { display_name: '', role: 1, status: 1, group: 'default' }
    storeUser({ ...person, id: 1, username: 'root' })
    response = () => {
      storeUser({ ...person, id: 2, username: 'ann' })
      return Response.json({ success: false, message: 'no' }, { status: 401 })
    }
    await request(calls.tokens.list).catch(() => undefined)
    expect(unauthorized).toBe(0)
  })

  it('asks for a proof where one is missing, and makes the call once more when it was given', async () => {
    const refusal = { success: false, message: 'Confirm first', code: 'recent_proof_required' }
    let requests = 0
    response = () => Response.json(requests++ === 0 ? refusal : { success: true, message: '', data: 'token' })
    proofs.push(true)
    expect(await request(calls.accounts.createAccessToken)).toBe('token')
    requests = 0
    proofs.push(false)
    const declined = await request(calls.accounts.createAccessToken).catch((cause: unknown) => cause)
    expect([declined, requests]).toMatchObject([{ code: 'recent_proof_required' }, 1])
    response = () => Response.json(refusal)
    proofs.push(true, true)
    const again = await request(calls.accounts.createAccessToken).catch((cause: unknown) => cause)
    expect([again, proofs]).toMatchObject([{ code: 'recent_proof_required' }, [true]])
    proofs.length = 0
  })

  it('has texts of its own for 405, 429 and 500', async () => {
    expect((await failure(405, {})).message).toBe('demo_only 405')
    expect((await failure(429, {})).message).toBe('too_many_requests 429')
    expect((await failure(500, { success: false, message: 'stack' })).message).toBe('server_error 500')
  })

  it('keeps the server’s sentence for other failures, and names an unreadable response', async () => {
    expect((await failure(503, { success: false, message: 'The database is unreachable' })).message).toBe(
      'The database is unreachable',
    )
    response = () => new Response('<html>', { status: 200 })
    const error = await request(calls.users.self).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'unexpected_answer' })
  })
})

describe('addressOf', () => {
  it('fills path slots and leaves out what is absent or empty', () => {
    const address = addressOf(calls.channels.get, {
      params: { id: 12 },
      query: { a: '', b: undefined, c: false },
    })
    expect(address).toBe('/api/channel/12?c=false')
  })

  it('encodes what it fills in', () => {
    expect(addressOf({ path: '/api/:name' }, { params: { name: 'a/b?c' } })).toBe('/api/a%2Fb%3Fc')
  })
})
