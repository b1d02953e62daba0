import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace'
import { genAiOperationName } from '@tollgate/providers'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { CallTrace, ModelRequest, RelayCall } from '../../gateway/relay/call.ts'
import type { CallEnd, CallObserver } from '../../gateway/relay/observe.ts'
import { attemptAttributes, callAttributes, failureOf } from './attributes.ts'
import type { PlannedIdGenerator, PlannedIds } from './planned-ids.ts'

interface Dependencies {
  readonly tracer: Tracer
  readonly sampler: Sampler
  readonly ids: PlannedIdGenerator
  readonly propagator: TextMapPropagator<RelayCall<ModelRequest>['headers']>
  readonly channel: (id: number) => RoutedChannel | undefined
  /** The wall clock, in ms since 1970. */
  readonly nowMs: () => number
  /** Names the trace to upstreams. */
  readonly toUpstreams: boolean
}

type Call = RelayCall<ModelRequest>

/**
 * Writes the spans of a call when it is over, from the times that the relay records for its log row anyway: the call itself,
 * what came before the first attempt, and each attempt. While a call is served, tracing costs it nothing.
 */
export function createCallTracer(deps: Dependencies): CallObserver {
  const planned = new WeakMap<CallTrace, PlannedIds>()
  return {
    ended(call, end) {
      // A session's later charges belong to a call that has its spans.
      if (!end.isRepeated) writeCall(call, end, planned.get(call.trace), deps)
    },
    ...(deps.toUpstreams && { traceparent: (call) => traceparentOf(call, planned, deps) }),
  }
}

function parentOf({ headers }: Call, { propagator }: Dependencies): Context {
  if (headers.get('traceparent') === null) return ROOT_CONTEXT
  return propagator.extract(ROOT_CONTEXT, headers, headerGetter)
}

const headerGetter = {
  keys: () => ['traceparent', 'tracestate'],
  get: (headers: Call['headers'], key: string) => headers.get(key) ?? undefined,
}

/** Decides about the trace as the SDK does later, from the same parent and id. */
function traceparentOf(call: Call, planned: WeakMap<CallTrace, PlannedIds>, deps: Dependencies): string {
  const { ids, sampler } = deps
  const parent = parentOf(call, deps)
  let plan = planned.get(call.trace)
  if (plan === undefined) {
    const traceId = trace.getSpanContext(parent)?.traceId ?? ids.generateTraceId()
    plan = { traceId, callSpan: ids.generateSpanId(), attemptSpans: [] }
    planned.set(call.trace, plan)
  }
  const span = ids.generateSpanId()
  // An attempt that never sent anything leaves its place to the next.
  plan.attemptSpans[call.trace.attempts.length] = span
  const { decision } = sampler.shouldSample(parent, plan.traceId, '', SpanKind.SERVER, {}, [])
  const flags = decision === SamplingDecision.RECORD_AND_SAMPLED ? '01' : '00'
  return `00-${plan.traceId}-${span}-${flags}`
}

function writeCall(call: Call, end: CallEnd, plan: PlannedIds | undefined, deps: Dependencies): void {
  const { tracer, ids, nowMs } = deps
  const startedAt = nowMs() - end.doneMs
  ids.plan(plan?.callSpan, plan?.traceId)
  const span = tracer.startSpan(
    spanName(call),
    { kind: SpanKind.SERVER, startTime: startedAt, attributes: callAttributes(call, end) },
    parentOf(call, deps),
  )
  ids.plan(undefined)
  if (span.isRecording()) {
    const within = trace.setSpan(ROOT_CONTEXT, span)
    writePreparation(call, end, startedAt, within, tracer)
    writeAttempts(call, end, plan, startedAt, within, deps)
    setFailure(span, failureOf(end))
  }
  span.end(startedAt + end.doneMs)
}

/** Names that callers make up would be as many as they like. */
function spanName({ mode, request, trace: { attempts } }: Call): string {
  const operation = genAiOperationName(mode)
  return attempts.length === 0 ? operation : `${operation} ${request.model}`
}

/** Admission, route, limits and reservation. */
function writePreparation(
  call: Call,
  end: CallEnd,
  startedAt: number,
  within: Context,
  tracer: Tracer,
): void {
  const ms = call.trace.attempts[0]?.startMs ?? end.doneMs
  const span = tracer.startSpan('prepare', { kind: SpanKind.INTERNAL, startTime: startedAt }, within)
  span.setAttribute('tollgate.routed_ms', call.trace.routedMs)
  span.end(startedAt + Math.min(ms, end.doneMs))
}

function writeAttempts(
  call: Call,
  end: CallEnd,
  plan: PlannedIds | undefined,
  startedAt: number,
  within: Context,
  { tracer, ids, channel }: Dependencies,
): void {
  const { attempts, firstTokenMs } = call.trace
  const last = attempts.length - 1
  for (const [index, attempt] of attempts.entries()) {
    const isServing = index === last && attempt.kind === 'ok'
    // The response of the attempt that serves goes on to the end of the call.
    const endMs = isServing ? end.doneMs : Math.min(attempt.startMs + attempt.ms, end.doneMs)
    ids.plan(plan?.attemptSpans[index])
    const span = tracer.startSpan(
      spanName(call),
      {
        kind: SpanKind.CLIENT,
        startTime: startedAt + attempt.startMs,
        attributes: attemptAttributes(call, attempt, channel(attempt.channel), isServing ? end : undefined),
      },
      within,
    )
    ids.plan(undefined)
    if (isServing && firstTokenMs > 0) span.addEvent('first token', startedAt + firstTokenMs)
    if (attempt.kind !== 'ok') setFailure(span, attempt.kind)
    else if (isServing) setFailure(span, failureOf(end))
    span.end(startedAt + Math.max(endMs, attempt.startMs))
  }
}

/** A caller that leaves is no error. */
function setFailure(span: Span, kind: string | undefined): void {
  if (kind === undefined) return
  span.setAttribute('error.type', kind)
  if (kind !== 'client_gone') span.setStatus({ code: SpanStatusCode.ERROR, message: kind })
}
