/** A channel as a provider needs to see it: plain data, one key already chosen. */
export interface ChannelTarget {
  /** Host root without trailing slash; the provider's default unless the operator sets one. */
  readonly baseUrl: string
  readonly key: string
  readonly openaiOrganization: string
  /** The channel's free field (API version, region, account id, …), by provider. */
  readonly other: string
  /** The operator's deployments have their models' names without dots. */
  readonly stripsDeploymentDots?: boolean
}

/** A channel with the model that is asked for. */
export interface Target extends ChannelTarget {
  /** Model name after mapping. */
  readonly upstreamModel: string
  /** Name of the model as the caller wrote it; absent for questions that no caller asked. */
  readonly callerModel?: string
  /** The operator wrote this name as the target of a model mapping: it is the upstream's own name for the model. */
  readonly isMapped?: boolean
}

/** Header fields, as one text per field. */
export type HeaderMap = Readonly<Record<string, string>>

/** Address of a request, before its credential is added. */
export interface UpstreamEndpoint {
  /** POST when not said. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: HeaderMap
  /** Subprotocols that a WebSocket offers. With them no credential is added: it is one of them. */
  readonly protocols?: readonly string[]
}
