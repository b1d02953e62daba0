/**
 * A fake of the server, for looking at the console without one: the built console with the policy it ships
 * under, and responds in the contract's shapes from memory. Not shipped, not used by tests.
 *
 *   bun apps/web/dev/stub.ts [--empty] [--setup]      (PORT, default 3100)
 */
import { join } from 'node:path'
import type { Channel, Envelope, PublicStatus, SetupStatus, Token, User } from '@tollgate/api'
import { sampleChannels, sampleLogs, sampleStatus, sampleTokens, sampleUser } from './samples.ts'

const empty = process.argv.includes('--empty')
let needsSetup = process.argv.includes('--setup')

let tokens: Token[] = empty ? [] : sampleTokens()
let channels: Channel[] = empty ? [] : sampleChannels()
const user: User = { ...sampleUser(), ...(empty && { used_quota: 0, request_count: 0 }) }
const logs = empty ? [] : sampleLogs()

/** As the server sends it with the console's pages. */
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: https:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"

type Handler = (request: Request & { params: Record<string, string> }) => unknown | Promise<unknown>
const ok = (data: unknown, extra: object = {}): Response =>
  Response.json({ success: true, message: '', data, ...extra } satisfies Envelope)
const refuse = (message: string): Response => Response.json({ success: false, message } satisfies Envelope)

const query = (request: Request, name: string): string => new URL(request.url).searchParams.get(name) ?? ''
const slice = <Row>(rows: readonly Row[], page: number, size: number): readonly Row[] =>
  rows.slice(page * size, (page + 1) * size)
const idOf = (request: { params: Record<string, string> }) => Number(request.params.id)

async function login(request: Request): Promise<Response> {
  const { username, password } = (await request.json()) as { username: string; password: string }
  if (password === 'wrong') return refuse('Wrong username or password, or the user is banned')
  const { id, display_name, role, status, group } = user
  return ok({ id, username, display_name, role: username === 'user' ? 1 : role, status, group })
}

async function saveToken(request: Request): Promise<Response> {
  const change = (await request.json()) as Partial<Token> & { id?: number }
  const old = tokens.find((token) => token.id === change.id)
  const saved = { ...(old ?? { ...sampleTokens()[0], id: tokens.length + 100 }), ...change } as Token
  tokens = old ? tokens.map((token) => (token.id === saved.id ? saved : token)) : [saved, ...tokens]
  return ok(saved)
}

async function saveChannel(request: Request): Promise<Response> {
  const change = (await request.json()) as Partial<Channel> & { id?: number }
  const old = channels.find((channel) => channel.id === change.id)
  const saved = {
    ...(old ?? { ...sampleChannels()[0], id: channels.length + 100 }),
    ...change,
    key: '',
  } as Channel
  channels = old
    ? channels.map((channel) => (channel.id === saved.id ? saved : channel))
    : [saved, ...channels]
  return ok(saved)
}

/** A streamed chat response, for the playground. */
function chat(): Response {
  const words = 'Tollgate here. This answer comes from the development stub, **word by word**.'.split(' ')
  const stream = new ReadableStream({
    async start(controller) {
      for (const word of words) {
        await Bun.sleep(60)
        controller.enqueue(
          `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: `${word} ` } }] })}\n\n`,
        )
      }
      controller.enqueue('data: [DONE]\n\n')
      controller.close()
    },
  })
  return new Response(stream.pipeThrough(new TextEncoderStream()), {
    headers: { 'Content-Type': 'text/event-stream' },
  })
}

function logPage(request: Request): Response {
  const size = Number(query(request, 'page_size')) || 10
  const page = Math.max(1, Number(query(request, 'p')) || 1)
  const type = Number(query(request, 'type'))
  const model = query(request, 'model_name')
  const found = logs.filter((row) => (type === 0 || row.type === type) && row.model_name.includes(model))
  return ok({ items: slice(found, page - 1, size), total: found.length, page, page_size: size })
}

function channelPage(request: Request): Response {
  const found = channels.filter((channel) => channel.name.includes(query(request, 'keyword')))
  const data = slice(found, Number(query(request, 'p')), Number(query(request, 'page_size')) || 10)
  return ok(data, { total: found.length })
}

const table: Record<string, Handler> = {
  'GET /api/status': () => ok({ ...sampleStatus(), setup: !needsSetup } satisfies PublicStatus),
  'GET /api/setup': () =>
    ok({
      status: !needsSetup,
      root_init: false,
      database_type: 'sqlite',
      code_required: false,
    } satisfies SetupStatus),
  'POST /api/setup': () => {
    needsSetup = false
    return ok(undefined)
  },
  'POST /api/user/login': login,
  'GET /api/user/logout': () => ok(undefined),
  'GET /api/user/self': () => ok(user),
  'GET /api/user/models': () =>
    ok(['gpt-4o-mini', 'gpt-4o', 'claude-sonnet-4-5', 'gemini-2.5-pro', 'deepseek-chat']),
  'GET /api/user/self/groups': () =>
    ok({ default: { ratio: 1, desc: 'Default group' }, vip: { ratio: 0.8, desc: 'VIP' } }),
  'GET /api/token': (request) =>
    ok(slice(tokens, Number(query(request, 'p')), Number(query(request, 'size')) || 10)),
  'GET /api/token/search': (request) =>
    ok(tokens.filter((token) => token.name.includes(query(request, 'keyword')))),
  'GET /api/token/:id': (request) => ok(tokens.find((token) => token.id === idOf(request))),
  'POST /api/token': saveToken,
  'PUT /api/token': saveToken,
  'DELETE /api/token/:id': (request) => {
    tokens = tokens.filter((token) => token.id !== idOf(request))
    return ok(undefined)
  },
  'GET /api/channel': channelPage,
  'GET /api/channel/search': channelPage,
  'GET /api/channel/models': () =>
    ok(['gpt-4o', 'gpt-4o-mini', 'o3', 'text-embedding-3-small'].map((id) => ({ id, owned_by: 'openai' }))),
  'GET /api/channel/models_enabled': () => ok(['gpt-4o', 'gpt-4o-mini']),
  'GET /api/channel/test': () => ok(undefined),
  'GET /api/channel/test/:id': async () => {
    await Bun.sleep(700)
    return ok(undefined, { time: 0.71 })
  },
  'GET /api/channel/fetch_models/:id': () => ok(['gpt-4o', 'gpt-4o-mini', 'o3', 'o4-mini']),
  'POST /api/channel/fetch_models': () => ok(['gpt-4o', 'gpt-4o-mini', 'o3', 'o4-mini']),
  'GET /api/channel/:id': (request) => ok(channels.find((channel) => channel.id === idOf(request))),
  'POST /api/channel': saveChannel,
  'PUT /api/channel': saveChannel,
  'DELETE /api/channel/:id': (request) => {
    channels = channels.filter((channel) => channel.id !== idOf(request))
    return ok(undefined)
  },
  'GET /api/group': () => ok(['default', 'vip']),
  'GET /api/models': () => ok({ '1': ['gpt-4o', 'gpt-4o-mini', 'o3', 'text-embedding-3-small'] }),
  'GET /api/log': logPage,
  'GET /api/log/self': logPage,
  'GET /api/log/stat': () => ok({ quota: 1_234_567, rpm: 12, tpm: 34_567 }),
  'GET /api/log/self/stat': () => ok({ quota: 1_234_567, rpm: 12, tpm: 34_567 }),
  'POST /pg/chat/completions': chat,
}

/** The handler of a request: exact paths before `:id` ones. */
function find(request: Request): (() => unknown) | undefined {
  const path = new URL(request.url).pathname.replace(/\/+$/, '') || '/'
  const exact = table[`${request.method} ${path}`]
  if (exact) return () => exact(Object.assign(request, { params: {} }))
  const id = path.match(/^(.*)\/(\d+)$/)
  const withId = id && table[`${request.method} ${id[1]}/:id`]
  return withId ? () => withId(Object.assign(request, { params: { id: id[2] ?? '' } })) : undefined
}

const dist = join(import.meta.dir, '../dist')

async function page(path: string): Promise<Response> {
  const file = Bun.file(join(dist, path))
  const found = path !== '/' && (await file.exists())
  return new Response(found ? file : Bun.file(join(dist, 'index.html')), {
    headers: { 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' },
  })
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT ?? 3100),
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (!/^\/(api|pg)\//.test(pathname)) return page(pathname)
    const handler = find(request)
    return handler
      ? ((await handler()) as Response)
      : Response.json({ success: false, message: 'Not found' }, { status: 404 })
  },
})
process.stdout.write(`Stub on http://127.0.0.1:${server.port}\n`)
