import { type CodeKinds, decodeErrorBody } from '@tollgate/formats'
import type { EndpointCall, HeaderMap, RealtimeOperation, Target, UpstreamEndpoint } from './provider.ts'

const beta = 'realtime=v1'

/** OpenAI's Realtime API at an address. https://platform.openai.com/docs/guides/realtime-websocket */
export function realtimeOperation(
  endpoint: (target: Target, call: EndpointCall) => UpstreamEndpoint,
  codeKinds?: CodeKinds,
): RealtimeOperation {
  return {
    format: 'openai-realtime',
    framing: 'websocket',
    streamOptions: false,
    endpoint,
    decodeError: (failure) => decodeErrorBody(failure, codeKinds),
  }
}

/**
 * How OpenAI is told whose session it is: as the caller told us, by a header or among the subprotocols.
 * @param headers that are no credential
 */
export function realtimeEndpoint(
  url: string,
  headers: HeaderMap,
  { key, upstreamModel }: Target,
  call: EndpointCall,
): UpstreamEndpoint {
  const isBeta = saysBeta(call) || upstreamModel.includes('-preview')
  if (call.bySubprotocol === true && key !== '') {
    const protocols = ['realtime', `openai-insecure-api-key.${key}`]
    return {
      url,
      headers: { ...headers, 'openai-beta': '' },
      protocols: isBeta ? [...protocols, 'openai-beta.realtime-v1'] : protocols,
    }
  }
  return {
    url,
    headers: isBeta ? { ...headers, 'openai-beta': call.headers['openai-beta'] ?? beta } : headers,
  }
}

/** Models that are no previews answer in other words where the beta is asked for. */
function saysBeta({ headers }: EndpointCall): boolean {
  return headers['openai-beta']?.includes(beta) === true
}

/**
 * The address of a session of a model, unless it names one already. A session that transcribes is asked for instead: its
 * model is named in its first event. https://developers.openai.com/api/docs/guides/realtime-transcription
 */
export function sessionUrl(url: string, { upstreamModel }: Target, { intent }: EndpointCall): string {
  const join = url.includes('?') ? '&' : '?'
  if (intent !== undefined) return `${url}${join}intent=${intent}`
  return /[?&](model|deployment)=/.test(url) ? url : `${url}${join}model=${encodeURIComponent(upstreamModel)}`
}
