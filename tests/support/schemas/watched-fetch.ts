import { problemsOf, problemsOfStream, type ResponseDialect, responseSchemas } from './index.ts'

/** Responses of a gateway with status 200, through any SDK. */
export interface SeenResponse {
  readonly dialect: ResponseDialect
  /** Faults by its vendor's schema; empty for none. */
  readonly problems: string
}

const dialects: readonly (readonly [RegExp, ResponseDialect])[] = [
  [/\/v1\/chat\/completions$/, 'openai-chat'],
  [/\/v1\/responses$/, 'openai-responses'],
  [/\/v1\/messages$/, 'anthropic-messages'],
  [/:(generate|streamGenerate)Content$/, 'gemini'],
]

/** Watches `fetch`, which every SDK calls in the end. It must begin before their clients are made. */
export function watchFetch(gatewayUrl: string) {
  const { fetch } = globalThis
  let seen: Promise<SeenResponse>[] = []
  const watched = async (...requested: Parameters<typeof fetch>): Promise<Response> => {
    const response = await fetch(...requested)
    const [input] = requested
    const url = new URL(input instanceof Request ? input.url : input)
    const dialect = dialects.find(([path]) => path.test(url.pathname))?.[1]
    if (url.origin === new URL(gatewayUrl).origin && dialect !== undefined && response.status === 200)
      seen.push(problemsIn(dialect, response.clone()))
    return response
  }
  globalThis.fetch = Object.assign(watched, fetch)
  return {
    /** Responses since the last call. */
    async take(): Promise<readonly SeenResponse[]> {
      const taken = seen
      seen = []
      return await Promise.all(taken)
    },
    stop: () => {
      globalThis.fetch = fetch
    },
  }
}

async function problemsIn(dialect: ResponseDialect, response: Response): Promise<SeenResponse> {
  const schema = responseSchemas[dialect]
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const text = await response.text()
  const problems = isStream ? problemsOfStream(schema, text) : problemsOf(schema.buffered, JSON.parse(text))
  return { dialect, problems }
}
