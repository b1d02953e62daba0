import type { Attributes } from '@opentelemetry/api'
import { promptTokensOf, type Usage } from '@tollgate/formats'
import { genAiOperationName, genAiProviderName } from '@tollgate/providers'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { AttemptRecord, ModelRequest, RelayCall } from '../../gateway/relay/call.ts'
import type { CallEnd } from '../../gateway/relay/observe.ts'
import { RelayError } from '../../gateway/relay/relay-error.ts'

type Call = RelayCall<ModelRequest>

/** Returns the attributes of a call: ids of the caller, no names, and no content. */
export function callAttributes(call: Call, end: CallEnd): Attributes {
  const { requestId, caller, trace } = call
  return {
    ...requestAttributes(call),
    ...(end.usage !== undefined && usageAttributes(end.usage)),
    ...(end.why instanceof RelayError && { 'http.response.status_code': end.why.status }),
    'tollgate.request_id': requestId,
    'tollgate.user.id': caller.user.id,
    'tollgate.token.id': caller.tokenId,
    'tollgate.group': caller.group,
    'tollgate.outcome': end.outcome,
    'tollgate.quota': end.quota,
    'tollgate.attempts': trace.attempts.length,
  }
}

/** @param end set for the attempt whose response was delivered */
export function attemptAttributes(
  call: Call,
  { channel: channelId, key, startMs, status }: AttemptRecord,
  channel: RoutedChannel | undefined,
  end: CallEnd | undefined,
): Attributes {
  const { firstTokenMs } = call.trace
  return {
    ...requestAttributes(call),
    ...(channel !== undefined && {
      'gen_ai.provider.name': genAiProviderName(channel.provider.id),
      ...serverAttributes(channel.baseUrl),
    }),
    ...(status > 0 && { 'http.response.status_code': status }),
    ...(end?.upstreamModel !== undefined && { 'gen_ai.response.model': end.upstreamModel }),
    ...(end !== undefined &&
      firstTokenMs > 0 && { 'gen_ai.response.time_to_first_chunk': (firstTokenMs - startMs) / 1000 }),
    ...(end?.usage !== undefined && usageAttributes(end.usage)),
    'tollgate.channel.id': channelId,
    'tollgate.channel.key': key,
  }
}

function requestAttributes({ mode, request }: Call): Attributes {
  return {
    'gen_ai.operation.name': genAiOperationName(mode),
    'gen_ai.request.model': request.model,
    'gen_ai.request.stream': request.stream,
    ...(request.reasoningEffort !== '' && { 'gen_ai.request.reasoning.level': request.reasoningEffort }),
  }
}

function usageAttributes(usage: Usage): Attributes {
  const written = usage.cacheWriteTokens + usage.cacheWrite1hTokens
  return {
    // The convention counts cached tokens among these.
    'gen_ai.usage.input_tokens': promptTokensOf(usage),
    'gen_ai.usage.output_tokens': usage.outputTokens,
    ...(usage.cacheReadTokens > 0 && { 'gen_ai.usage.cache_read.input_tokens': usage.cacheReadTokens }),
    ...(written > 0 && { 'gen_ai.usage.cache_write.input_tokens': written }),
    ...(usage.reasoningTokens > 0 && { 'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens }),
  }
}

function serverAttributes(baseUrl: string): Attributes {
  if (!URL.canParse(baseUrl)) return {}
  const { hostname, port, protocol } = new URL(baseUrl)
  return { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'http:' ? 80 : 443) }
}

/** The class of the error that ended a call; `undefined` for none. */
export function failureOf({ why }: CallEnd): string | undefined {
  return why instanceof RelayError ? why.code : why
}
