import { type Clock, monotonicClock } from '@tollgate/base'
import {
  type ModeCodec,
  RequestFault,
  readResponse as readCodedResponse,
  readModeResponse,
  WireResponse,
} from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import { Refusal } from '../../lib/refusal.ts'
import { TokenExchangeError } from '../../upstream/credentials.ts'
import { readSmall, type SmallResponse } from '../../upstream/query.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'
import { redactUpstream } from '../redaction.ts'
import { mapStatus } from '../routing/compile-channel.ts'
import type { RoutedChannel } from '../routing/routing-types.ts'
import { type CallFailure, callFailureOf, malformedResponse } from './call-failure.ts'
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
  /** The upstream's HTTP status; 0 when it did not respond. */
  readonly status: number
  /** Absent when the test passed. */
  readonly failure?: CallFailure
}

type Outcome = Pick<TestResult, 'status' | 'failure'>

const defaultTimeoutMs = 30_000
const maxResponseBytes = 4 * 1024 * 1024
const visibleMessageLength = 300

/** One real small call through a channel, with one of its keys. Never throws for a failure of the upstream. */
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
  const outcome = await call(channel, keyIndex, request, deps, signal)
  return { model: request.model, keyIndex, ms: clock.now() - startedAt, ...outcome }
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
  request: TestRequest,
  deps: TestCallDependencies,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { operation, upstreamModel, body } = request
  const timeoutMs = deps.timeoutMs ?? defaultTimeoutMs
  const prepared = {
    channel,
    keyIndex,
    operation,
    upstreamModel,
    stream: false,
    body,
    callerHeaders: {},
    query: '',
  }
  const limits = { timeoutMs, maxBytes: maxResponseBytes, ...(signal !== undefined && { signal }) }
  const ask = () => readSmall(() => deps.upstreams.send(prepared), limits)
  try {
    let response = await ask()
    const { status } = operation.decodeError(response)
    if (status === 401 && deps.upstreams.tokenRefused(prepared)) response = await ask()
    return judge(channel, request, response)
  } catch (error) {
    if (error instanceof TokenExchangeError) return judge(channel, request, error.failure)
    return { status: 0, failure: callFailureOf(error, timeoutMs) }
  }
}

function judge(channel: RoutedChannel, request: TestRequest, response: SmallResponse): Outcome {
  const { status } = response
  const failure = request.operation.decodeError(response)
  if (status >= 200 && status < 300) {
    if (readResponse(request, response.body).ok) return { status }
    // Some upstreams put an error into a 200.
    if (failure.isUnreadable === true) {
      const stated = redactUpstream(failure.message, channel).slice(0, visibleMessageLength)
      return { status, failure: { ...malformedResponse(status), said: stated } }
    }
  }
  const error = { ...mapStatus(failure, channel), receivedStatus: status }
  const stated = redactUpstream(error.message, channel).slice(0, visibleMessageLength)
  const detail = stated === '' ? `status code ${status}` : `status code ${status}: ${stated}`
  return { status, failure: { code: 'channel_test_failed', details: { detail }, said: stated, error } }
}

function readResponse(request: TestRequest, body: string): { readonly ok: boolean } {
  const { mode, operation } = request
  const { codec, plain } = operation
  if (plain !== undefined) return { ok: isPlainResponse(request, plain, body) }
  const decodeError: Operation['decodeError'] = (failure) => operation.decodeError(failure)
  return codec === undefined || codec.format === 'openai-chat'
    ? readModeResponse(mode, body, decodeError)
    : readCodedResponse(body, codec, decodeError)
}

function isPlainResponse({ prepared, model }: TestRequest, plain: ModeCodec, body: string): boolean {
  const response = new WireResponse(Buffer.from(body), 'application/json')
  return plain.decodeResponse(response, { body: prepared, model, responseId: '', createdAt: 0 }) !== undefined
}
