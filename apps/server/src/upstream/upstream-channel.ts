import type { ChannelTarget, Provider, Target } from '@tollgate/providers'

/** A channel as far as sending to its upstream needs it. */
export interface UpstreamChannel {
  readonly provider: Provider
  /** Without trailing slash; the provider's default when the operator set none. */
  readonly baseUrl: string
  /** False when somebody below root chose the address: then it must not lead into private networks. */
  readonly baseUrlTrusted: boolean
  readonly openaiOrganization: string
  readonly other: string
  readonly keys: readonly string[]
  /** From a caller's name of a model to the upstream's; none when not said. */
  readonly modelMapping?: ReadonlyMap<string, string>
  readonly setting: {
    /** http(s) or socks5 proxy for every call; empty for none. */
    readonly proxy: string
    readonly stripsDeploymentDots?: boolean
  }
}

export function channelTarget(channel: UpstreamChannel, keyIndex: number): ChannelTarget {
  const { baseUrl, openaiOrganization, other, keys, setting } = channel
  const target = { baseUrl, key: keys[keyIndex] ?? '', openaiOrganization, other }
  return setting.stripsDeploymentDots === true ? { ...target, stripsDeploymentDots: true } : target
}

interface ModelTarget {
  readonly channel: UpstreamChannel
  readonly keyIndex: number
  readonly upstreamModel: string
  readonly callerModel?: string
}

export function callTarget({ channel, keyIndex, upstreamModel, callerModel }: ModelTarget): Target {
  const isMapped = [...(channel.modelMapping?.values() ?? [])].includes(upstreamModel)
  const target = { ...channelTarget(channel, keyIndex), upstreamModel, isMapped }
  return callerModel === undefined ? target : { ...target, callerModel }
}
