import type { RequestQuirks, UpstreamErrorInfo, UpstreamFailure } from '@tollgate/formats'

/** What the gateway can ask of an upstream. One word per public endpoint family. */
export type RelayMode = 'chat' | 'completions' | 'embeddings'

/** A channel as a provider needs to see it: plain data, one key already chosen. */
export interface Target {
  /** Host root without trailing slash; the provider's default when the operator set none. */
  readonly baseUrl: string
  readonly key: string
  /** Model name after mapping. */
  readonly upstreamModel: string
  readonly openaiOrganization: string
  /** The channel's free field (API version, account id, …), by provider. */
  readonly other: string
}

/** Where a call goes: everything the pump needs to send the caller's body. */
export interface UpstreamEndpoint {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * An upstream that speaks a dialect our callers speak too: the body is forwarded with named edits, so a provider
 * only says where to send it and what its refusals mean. Pure: no I/O, no clock, no globals.
 */
export interface Provider {
  readonly id: string
  /** Dialect in which bodies are forwarded as received. */
  readonly dialect: 'openai-chat'
  readonly modes: readonly RelayMode[]
  /** Empty when the operator must give one. */
  readonly defaultBaseUrl: string
  /** Whether `stream_options.include_usage` may be sent; an upstream that refuses unknown fields says no. */
  readonly streamOptions: boolean
  /** Edits this upstream needs beyond the common ones; goes into `editsFor` as it is. */
  readonly quirks?: RequestQuirks
  endpoint(mode: RelayMode, target: Target): UpstreamEndpoint
  /** `undefined` when the upstream has no list of models. */
  modelsEndpoint(target: Omit<Target, 'upstreamModel'>): UpstreamEndpoint | undefined
  decodeModels(body: unknown): readonly string[]
  /** Also reads failures inside a 200 answer or stream. */
  decodeError(failure: UpstreamFailure): UpstreamErrorInfo
}
