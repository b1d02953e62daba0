import type { ChannelType } from './channel-types/channel-type.ts'
import { chineseClouds } from './channel-types/chinese-clouds.ts'
import { inferenceHosts } from './channel-types/inference-hosts.ts'
import { modelVendors } from './channel-types/model-vendors.ts'
import { platforms } from './channel-types/platforms.ts'
import { videoMakers } from './channel-types/video-makers.ts'

export { hasServiceAccounts, type KeyFault, keyFault, keyShape, keysIn } from './channel-types/keys.ts'
export { type OtherFault, otherFault, standardOther } from './channel-types/other.ts'
export type { ChannelType }

/** Every channel type, in the order of their wire ids. */
export const channelTypes: readonly ChannelType[] = [
  ...modelVendors,
  ...chineseClouds,
  ...platforms,
  ...inferenceHosts,
  ...videoMakers,
].sort((a, b) => a.id - b.id)

const byId: ReadonlyMap<number, ChannelType> = new Map(channelTypes.map((type) => [type.id, type]))

/** The type behind a channel's wire integer; `undefined` for an integer the catalogue does not know. */
export function findChannelType(id: number): ChannelType | undefined {
  return byId.get(id)
}

/** An address of a channel as HTTP's: an upstream behind a WebSocket has one of that scheme, or of either. */
export function httpFormOf(address: string, type: number): string {
  const isWebSocket = findChannelType(type)?.defaultBaseUrl.startsWith('ws') === true
  return isWebSocket ? address.replace(/^ws(?=s?:)/i, 'http') : address
}
