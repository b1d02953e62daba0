import { anthropicProtocol } from '../support/protocols/anthropic.ts'
import { geminiProtocol } from '../support/protocols/gemini.ts'
import { openAiProtocol } from '../support/protocols/openai.ts'
import type { Protocol, ReceivedCall, Scripted } from '../support/protocols/protocol.ts'
import {
  type ScriptedBehaviour,
  type ScriptedExchange,
  type ScriptedUpstream,
  says,
  startScriptedUpstream,
} from '../support/protocols/scripted-upstream.ts'
import { type CallerDialect, callerDialects, models, type UpstreamDialect } from './cases.ts'

/** Responses of the fake upstreams, by request: the drivers' checks look for them. */
export const responses = {
  text: 'The till rings once, and all is well.',
  city: { city: 'Paris', population: 2102650 },
  thought: 'A hint of thought.',
  weather: ['sunny in Paris', 'sunny in Rome'],
  image: 'I see 1 image.',
} as const

/** Tokens that an upstream counts of each call. */
const counts = { input: 37, cacheRead: 0, cacheWrite: 0, output: 11, reasoning: 0 } as const
/** Tokens that an upstream counts of the texts of one call for embeddings. */
const embeddingTokens = 22

const signature = 'c2lnbmVkLWJ5LWdlbWluaQ=='

/** Refusals of each upstream for a prompt that is too long, and for too many calls. */
const refusals: Readonly<Record<UpstreamDialect, Readonly<Record<'limit' | 'overflow', object>>>> = {
  openai: {
    limit: { message: 'Rate limit reached', type: 'requests', param: null, code: 'rate_limit_exceeded' },
    overflow: {
      message:
        'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 280001 tokens.',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  },
  anthropic: {
    limit: { type: 'rate_limit_error', message: 'Number of requests has exceeded your rate limit' },
    overflow: {
      type: 'invalid_request_error',
      message: 'prompt is too long: 210001 tokens > 200000 maximum',
    },
  },
  gemini: {
    limit: { code: 429, message: 'Resource has been exhausted', status: 'RESOURCE_EXHAUSTED' },
    overflow: {
      code: 400,
      message: 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
      status: 'INVALID_ARGUMENT',
    },
  },
}

const statuses = { limit: 429, overflow: 400 } as const

interface Kind {
  readonly protocol: Protocol
  readonly channelType: number
  readonly key: string
  /** The upstream's own model that serves the callers' ones. */
  readonly model: string
  readonly embeddings: boolean
}

/** Anthropic's stream as it is today: its last count repeats the prompt's, which LangChain reads there alone. */
const messagesProtocol: Protocol = {
  ...anthropicProtocol,
  frames: (reply, call) =>
    anthropicProtocol.frames(reply, call).map((frame) => {
      const text = new TextDecoder().decode(frame.bytes)
      const count = `"input_tokens":${counts.input},"output_tokens":`
      const whole = text.replace('"usage":{"output_tokens":', `"usage":{${count}`)
      return { ...frame, bytes: new TextEncoder().encode(whole) }
    }),
}

/** Google reads members in both spellings, results in one content or several, and whatever a result is called. */
const googleProtocol: Protocol = {
  ...geminiProtocol,
  reported(call) {
    const json = camelCased(call.json) as ReceivedCall['json']
    return geminiProtocol.reported({ ...call, json: { ...json, contents: joined(json.contents) } })
  },
}

interface Content {
  readonly role?: string
  readonly parts: readonly unknown[]
}

/** Contents in which those that follow each other from one side are one. */
function joined(contents: unknown): readonly Content[] {
  const list = (Array.isArray(contents) ? contents : [contents]) as readonly Content[]
  const found: Content[] = []
  for (const content of list) {
    const last = found.at(-1)
    if (last === undefined || last.role !== content.role) found.push(content)
    else found[found.length - 1] = { ...last, parts: [...last.parts, ...content.parts] }
  }
  return found
}

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return [camel, camel === 'response' ? { output: JSON.stringify(member) } : camelCased(member)]
    }),
  )
}

export const kinds: Readonly<Record<UpstreamDialect, Kind>> = {
  openai: {
    protocol: openAiProtocol,
    channelType: 1006,
    key: 'sk-upstream-0001',
    model: 'house-model',
    embeddings: true,
  },
  anthropic: {
    protocol: messagesProtocol,
    channelType: 14,
    key: 'sk-ant-upstream-0001',
    model: 'claude-sonnet-4-5-20250929',
    embeddings: false,
  },
  gemini: {
    protocol: googleProtocol,
    channelType: 24,
    key: 'AIzaUpstream0001',
    model: 'gemini-3-pro-preview',
    embeddings: true,
  },
}

/** Upstream models whose calls fail. */
export const failing = { limit: 'failing-limit', overflow: 'failing-overflow' } as const

/** Starts an upstream that responds by what a request asks. */
export async function startUpstream(dialect: UpstreamDialect): Promise<ScriptedUpstream> {
  const upstream = await startScriptedUpstream(kinds[dialect].protocol)
  upstream.otherwise(respond)
  for (const kind of ['limit', 'overflow'] as const) upstream.on(failing[kind], refuse(dialect, kind))
  return upstream
}

function refuse(dialect: UpstreamDialect, kind: 'limit' | 'overflow'): ScriptedBehaviour {
  const error = refusals[dialect][kind]
  const body = dialect === 'anthropic' ? { type: 'error', error } : { error }
  return ({ response }) => {
    response.writeHead(statuses[kind], { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
}

const respond: ScriptedBehaviour = (exchange) => says(replyTo(exchange))(exchange)

function replyTo({ protocol, call }: ScriptedExchange): Scripted {
  const { tools, toolTurns, images, schema, wantsReasoning } = protocol.reported(call)
  const thought = wantsReasoning ? { reasoning: ['A hint ', 'of thought.'] } : {}
  const text = (value: string): Scripted => ({
    ...thought,
    text: [value.slice(0, 9), value.slice(9)],
    textSignature: signature,
    counts,
  })
  const weather = tools.find((name) => /weather/i.test(name))
  const maker = tools.find((name) => name !== weather)
  if (toolTurns.some(({ name }) => /weather/i.test(name)))
    return text(`It is ${toolTurns.map(({ result }) => result).join(' and ')}.`)
  if (weather !== undefined) return { ...thought, toolCalls: ['Paris', 'Rome'].map(callOf(weather)), counts }
  if (schema !== undefined) return text(JSON.stringify(responses.city))
  if (maker !== undefined && asksForCity(call)) return { ...thought, toolCalls: [cityCall(maker)], counts }
  if (asksForCity(call)) return text(cityText(call))
  return text(images.length > 0 ? `I see ${images.length} image.` : responses.text)
}

const asksForCity = ({ body }: ReceivedCall): boolean => body.includes('population')

/** DSPy's own form of fields, where a prompt asks for that. */
function cityText({ body }: ReceivedCall): string {
  if (!body.includes('[[ ## city ## ]]')) return JSON.stringify(responses.city)
  const { city, population } = responses.city
  return `[[ ## city ## ]]\n${city}\n\n[[ ## population ## ]]\n${population}\n\n[[ ## completed ## ]]`
}

const callOf = (name: string) => (city: string, position: number) => ({
  id: `call_000${position}`,
  name,
  pieces: ['{"city":', `"${city}"}`],
  ...(position === 0 && { signature }),
})

function cityCall(name: string) {
  return { id: 'call_0009', name, pieces: [JSON.stringify(responses.city)], signature }
}

/** An upstream that makes vectors, in the form of each dialect. */
export function startEmbedder() {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { input = [], requests = [] } = (await request.json()) as {
        input?: string | readonly unknown[]
        requests?: readonly unknown[]
      }
      const { pathname } = new URL(request.url)
      if (pathname.endsWith(':batchEmbedContents') || pathname.endsWith(':embedContent'))
        return Response.json({
          embeddings: requests.map(() => ({ values: [0.5, 1] })),
          embedding: requests.length === 0 ? { values: [0.5, 1] } : undefined,
          usageMetadata: { promptTokenCount: embeddingTokens },
        })
      const texts = Array.isArray(input) ? input : [input]
      const list = typeof texts[0] === 'number' ? [texts] : texts
      return Response.json({
        object: 'list',
        model: 'm',
        data: list.map((_, index) => ({ object: 'embedding', index, embedding: [0.5, 1] })),
        usage: { prompt_tokens: embeddingTokens, total_tokens: embeddingTokens },
      })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

/** The callers' names of models, by what becomes of their calls. */
export function namesOf(kind: 'main' | 'embeddings' | 'limit' | 'overflow'): readonly string[] {
  const names = callerDialects.flatMap((dialect: CallerDialect) =>
    kind === 'main' ? [models[dialect].main, models[dialect].reasoning] : [models[dialect][kind]],
  )
  return [...new Set(names)].filter((name) => name !== '')
}
