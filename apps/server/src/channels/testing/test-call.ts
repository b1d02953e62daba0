import { type Clock, monotonicClock } from '@tollgate/base'
import {
  type PlainCodec,
  parseJson,
  RequestFault,
  readModeAnswer,
  type UpstreamErrorInfo,
  WireAnswer,
} from '@tollgate/formats'
import { Refusal } from '../../lib/refusal.ts'
import { readSmall, type SmallAnswer } from '../../upstream/query.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'
import { redactUpstream } from '../redaction.ts'
import { mapStatus } from '../routing/map-status.ts'
import type { RoutedChannel } from '../routing/routing-types.ts'
import { type CallFailure, callFailureOf, malformedAnswer } from './call-failure.ts'
import { buildTestRequest, type TestRequest } from './test-request.ts'

export interface TestCallDependencies {
  readonly upstreams: Upstreams
  readonly monotonic?: Clock
  readonly timeoutMs?: number
}

export interface TestResult {
  readonly model: string
  readonly keyIndex: number
  readonly ms: number
  /** Absent when the test passed. */
  readonly failure?: CallFailure
}

const defaultTimeoutMs = 30_000
const maximumAnswerBytes = 4 * 1024 * 1024
const shownMessageLength = 300

/** One real small call through a channel, with one of its keys. Never throws for what an upstream does. */
export async function testCall(
  channel: RoutedChannel,
  keyIndex: number,
  requestedModel: string | undefined,
  deps: TestCallDependencies,
  signal?: AbortSignal,
): Promise<TestResult> {
  const request = testRequest(channel, keyIndex, requestedModel)
  const clock = deps.monotonic ?? monotonicClock
  const startedAt = clock.now()
  const failure = await call(channel, keyIndex, request, deps, signal)
  const result = { model: request.model, keyIndex, ms: clock.now() - startedAt }
  return failure === undefined ? result : { ...result, failure }
}

function testRequest(channel: RoutedChannel, keyIndex: number, model: string | undefined): TestRequest {
  try {
    return buildTestRequest(channel, keyIndex, model)
  } catch (error) {
    if (error instanceof RequestFault) throw new Refusal('invalid_parameter', { detail: error.message })
    throw error
  }
}

async function call(
  channel: RoutedChannel,
  keyIndex: number,
  { operation, upstreamModel, body, ...request }: TestRequest,
  deps: TestCallDependencies,
  signal: AbortSignal | undefined,
): Promise<CallFailure | undefined> {
  const timeoutMs = deps.timeoutMs ?? defaultTimeoutMs
  const asked = {
    channel,
    keyIndex,
    operation,
    upstreamModel,
    stream: false,
    body,
    callerHeaders: {},
    query: '',
  }
  const limits = { timeoutMs, maxBytes: maximumAnswerBytes, ...(signal !== undefined && { signal }) }
  try {
    const answer = await readSmall(() => deps.upstreams.send(asked), limits)
    return judge(channel, { operation, upstreamModel, body, ...request }, answer)
  } catch (error) {
    return callFailureOf(error, timeoutMs)
  }
}

function judge(channel: RoutedChannel, request: TestRequest, answer: SmallAnswer): CallFailure | undefined {
  const { operation } = request
  if (answer.status >= 200 && answer.status < 300) {
    const reading = readAnswer(request, answer.body)
    if (reading.ok) return undefined
    // Some upstreams put an error into a 200; anything else that is no answer is not worth quoting.
    if (!namesError(answer.body)) return malformedAnswer
  }
  const error = mapStatus(operation.decodeError(answer), channel)
  return { code: 'channel_test_failed', details: { detail: describe(channel, answer.status, error) }, error }
}

function readAnswer(request: TestRequest, body: string): { readonly ok: boolean } {
  const { mode, operation } = request
  const { codec, plain } = operation
  if (plain !== undefined) return { ok: isPlainAnswer(request, plain, body) }
  if (codec !== undefined && codec.format !== 'openai-chat') return codec.decodeAnswer(parseJson(body))
  return readModeAnswer(mode, body, (failure) => operation.decodeError(failure))
}

function isPlainAnswer({ asked, model }: TestRequest, plain: PlainCodec, body: string): boolean {
  const answer = new WireAnswer(Buffer.from(body), 'application/json')
  return plain.decodeAnswer(answer, { body: asked, model, answerId: '', createdAt: 0 }) !== undefined
}

function namesError(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'error' in body && Boolean(body.error)
  } catch {
    return false
  }
}

function describe(channel: RoutedChannel, status: number, error: UpstreamErrorInfo): string {
  const message = redactUpstream(error.message, channel).slice(0, shownMessageLength)
  return message === '' ? `status code ${status}` : `status code ${status}: ${message}`
}
