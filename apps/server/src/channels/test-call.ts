import type { Clock } from '@tollgate/base'
import {
  readChatAnswer,
  readEmbeddingAnswer,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'
import { type OutboundAnswer, outboundFetch } from '../lib/outbound-fetch.ts'
import type { OutboundGuard } from '../lib/outbound-guard.ts'
import { redactUpstream } from './redaction.ts'
import type { RoutedChannel } from './routing-types.ts'
import { buildTestRequest, type TestRequest } from './test-request.ts'
import { type CallFailure, callFailureOf, malformedAnswer } from './upstream-refusal.ts'

export interface TestCallDependencies {
  readonly guard: OutboundGuard
  readonly clock: Clock
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
  const request = buildTestRequest(channel, requestedModel)
  const startedAt = deps.clock.now()
  const failure = await call(channel, channel.keys[keyIndex] ?? '', request, deps, signal)
  const result = { model: request.model, keyIndex, ms: deps.clock.now() - startedAt }
  return failure === undefined ? result : { ...result, failure }
}

async function call(
  channel: RoutedChannel,
  key: string,
  request: TestRequest,
  deps: TestCallDependencies,
  signal: AbortSignal | undefined,
): Promise<CallFailure | undefined> {
  const { provider, baseUrl, openaiOrganization, other } = channel
  const { mode, upstreamModel, body } = request
  const endpoint = provider.endpoint(mode, { baseUrl, key, upstreamModel, openaiOrganization, other })
  const timeoutMs = deps.timeoutMs ?? defaultTimeoutMs
  try {
    const answer = await outboundFetch({
      url: endpoint.url,
      headers: { 'content-type': 'application/json', ...endpoint.headers },
      method: 'POST',
      body,
      timeoutMs,
      maxBytes: maximumAnswerBytes,
      proxy: channel.setting.proxy,
      guard: channel.baseUrlTrusted ? undefined : deps.guard,
      ...(signal === undefined ? {} : { signal }),
    })
    return judge(channel, request, answer)
  } catch (error) {
    return callFailureOf(error, timeoutMs)
  }
}

function judge(
  channel: RoutedChannel,
  { mode }: TestRequest,
  answer: OutboundAnswer,
): CallFailure | undefined {
  const decodeError = (failure: UpstreamFailure) => channel.provider.decodeError(failure)
  if (answer.status >= 200 && answer.status < 300) {
    const readAnswer = mode === 'embeddings' ? readEmbeddingAnswer : readChatAnswer
    if (readAnswer(answer.body, decodeError).ok) return undefined
    // Some upstreams put an error into a 200; anything else that is no answer is not worth quoting.
    if (!namesError(answer.body)) return malformedAnswer
  }
  const error = withMappedStatus(channel, decodeError(answer))
  return { code: 'channel_test_failed', details: { detail: describe(channel, answer.status, error) }, error }
}

function namesError(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'error' in body && Boolean(body.error)
  } catch {
    return false
  }
}

function withMappedStatus(channel: RoutedChannel, error: UpstreamErrorInfo): UpstreamErrorInfo {
  const status = channel.statusCodeMapping.get(error.status)
  return status === undefined ? error : { ...error, status }
}

function describe(channel: RoutedChannel, status: number, error: UpstreamErrorInfo): string {
  const message = redactUpstream(error.message, channel).slice(0, shownMessageLength)
  return message === '' ? `status code ${status}` : `status code ${status}: ${message}`
}
