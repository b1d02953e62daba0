import {
  AwsEventStreamScanner,
  anthropicMessages,
  type ChatCodec,
  decodeErrorBody,
  type FrameScanner,
  gemini,
  OpenAiStreamReader,
  openAiChat,
  openAiResponses,
  type ResponseEncoding,
  ResponseStream,
  SseScanner,
  type StreamReader,
  unwrapBedrockEvent,
} from '../packages/formats/src/index.ts'
import { anthropicProtocol } from '../tests/support/protocols/anthropic.ts'
import { bedrockProtocol } from '../tests/support/protocols/bedrock.ts'
import { geminiProtocol } from '../tests/support/protocols/gemini.ts'
import { openAiProtocol } from '../tests/support/protocols/openai.ts'
import type { Protocol, ReceivedCall, Scripted } from '../tests/support/protocols/protocol.ts'
import { responsesProtocol } from '../tests/support/protocols/responses.ts'
import { sized } from './sized.ts'

/**
 * Events per second of every decoder with every encoder, and of the way that streams of one format take when nothing is to be
 * converted, side by side in one process. Streams come event by event, as models write them.
 */
const eventsPerStream = 400
const streamsPerTurn = Number(process.env['BENCH_STREAMS'] ?? 25)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? sized(15, 1))
const maxFrameBytes = 1 << 20
/** Cost that a converted event may have, in events that pass. */
const bar = 2.5

const formats = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  'anthropic-messages': anthropicMessages,
  gemini,
} as const satisfies Record<string, ChatCodec>
type FormatName = keyof typeof formats

interface Upstream {
  readonly name: string
  readonly format: FormatName
  readonly protocol: Protocol
  readonly scanner: () => FrameScanner
  readonly unwrap?: typeof unwrapBedrockEvent
}

const sse = () => new SseScanner(maxFrameBytes)
const awsKey = { accessKeyId: 'a', secret: 'b', region: 'c' }
const upstreams: readonly Upstream[] = [
  { name: 'openai', format: 'openai-chat', protocol: openAiProtocol, scanner: sse },
  { name: 'responses', format: 'openai-responses', protocol: responsesProtocol, scanner: sse },
  { name: 'anthropic', format: 'anthropic-messages', protocol: anthropicProtocol, scanner: sse },
  { name: 'gemini', format: 'gemini', protocol: geminiProtocol, scanner: sse },
  {
    name: 'bedrock',
    format: 'anthropic-messages',
    protocol: bedrockProtocol(awsKey),
    scanner: () => new AwsEventStreamScanner(maxFrameBytes),
    unwrap: unwrapBedrockEvent,
  },
]

const words = 'The till rings once for every word that a model writes, and 全 of them are counted. '.split(
  /(?<= )/,
)
const response: Scripted = {
  text: Array.from({ length: eventsPerStream }, (_, index) => words[index % words.length] ?? ''),
}
const call: ReceivedCall = {
  method: 'POST',
  path: '/v1beta/models/a-model:streamGenerateContent',
  query: '',
  headers: {},
  rawHeaders: [],
  body: Buffer.alloc(0),
  json: { model: 'a-model', stream: true, stream_options: { include_usage: true } },
  receivedAt: 0,
  abortedAt: undefined,
}

/** One way of a stream through the gateway. */
interface Way {
  readonly name: string
  readonly chunks: readonly Uint8Array[]
  start(): StreamReader
}

/** Makes the way of events that pass unchanged, where an upstream's framing lets them: the measure of those converted from it. */
function passing(upstream: Upstream): Way {
  const isChat = upstream.format === 'openai-chat'
  const encode = upstream.unwrap === undefined ? 'as-received' : 'as-events'
  return {
    name: `${upstream.name} as it is`,
    chunks: chunksOf(upstream),
    start: isChat
      ? () => new OpenAiStreamReader({ includeUsage: true, maxFrameBytes, decodeError: decodeErrorBody })
      : () => streamOf(upstream, encode),
  }
}

function converting(upstream: Upstream, caller: FormatName): Way {
  const responded = {
    model: 'a-model',
    responseId: 'a',
    createdAt: 1,
    includeUsage: true,
    estimatedInputTokens: 9,
  }
  const encode = { codec: formats[caller] as ChatCodec, call: responded }
  return {
    name: `${upstream.name} → ${caller}`,
    chunks: chunksOf(upstream),
    start: () => streamOf(upstream, encode),
  }
}

function streamOf({ format, scanner, unwrap }: Upstream, encode: ResponseEncoding): StreamReader {
  const decoder = formats[format] as ChatCodec
  return new ResponseStream({
    scanner: scanner(),
    decoder,
    encode,
    maxFrameBytes,
    ...(unwrap !== undefined && { unwrap }),
  })
}

function chunksOf({ protocol }: Upstream): readonly Uint8Array[] {
  return protocol.frames(response, call).map(({ bytes }) => bytes)
}

/** Microseconds of processor time for each event. */
function timeOf({ chunks, start }: Way): number {
  const began = process.cpuUsage()
  for (let stream = 0; stream < streamsPerTurn; stream += 1) {
    const reader = start()
    for (const chunk of chunks) reader.push(chunk)
    reader.end()
    reader.trailer(reader.usage)
  }
  const { user, system } = process.cpuUsage(began)
  return (user + system) / (streamsPerTurn * chunks.length)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const rows = upstreams.map((upstream) => {
  const callers = (Object.keys(formats) as FormatName[]).filter((caller) => caller !== upstream.format)
  return { upstream, pass: passing(upstream), ways: callers.map((caller) => converting(upstream, caller)) }
})
const times = new Map<Way, number[]>(
  rows.flatMap(({ pass, ways }) => [pass, ...ways]).map((way) => [way, []]),
)
for (const way of times.keys()) for (let turn = 0; turn < 3; turn += 1) timeOf(way)
for (let round = 0; round < rounds; round += 1) for (const [way, found] of times) found.push(timeOf(way))

const of = (way: Way) => median(times.get(way) ?? [])
/** Compares two ways in each round by itself: the machine's speed changes from one to the next. */
const ratioOf = (way: Way, pass: Way) =>
  median((times.get(way) ?? []).map((time, round) => time / (times.get(pass)?.[round] ?? Number.NaN)))
const perSecond = (micros: number) => `${Math.round(1000 / micros)}k/s`
console.log(
  '| Way of a stream | Events per second | Against its own upstream as it is | Holds |\n|---|---|---|---|',
)
for (const { pass, ways } of rows) {
  console.log(`| ${pass.name} | ${perSecond(of(pass))} | 1 | |`)
  for (const way of ways) {
    const ratio = ratioOf(way, pass)
    console.log(
      `| ${way.name} | ${perSecond(of(way))} | ${ratio.toFixed(2)} | ${ratio <= bar ? 'yes' : 'no'} |`,
    )
  }
}
