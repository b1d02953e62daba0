import { type FreeField, type ProviderRow, providerTable } from '@tollgate/providers/table'

export { hasServiceAccounts, type KeyFault, keyFault, keyShape, keysIn } from './channel-types/keys.ts'
export { type OtherFault, otherFault, standardOther } from './channel-types/other.ts'

/** A channel type of the spec (operations §3.2): wire id, name, and what its form needs. */
export interface ChannelType {
  readonly id: number
  readonly name: string
  /** Id of the provider that serves it. */
  readonly provider: string
  /** Official address, shown as the form's default; empty when the operator must give one. */
  readonly defaultBaseUrl: string
  /** Meaning of the address field where it is not a host. */
  readonly address?: NonNullable<ProviderRow['address']>
  /** Shape of the key, shown in the form. */
  readonly keyHint: string
  /** Meaning of the free field `other`; absent when unused. */
  readonly other?: FreeField
  /** Model names such a channel usually serves. */
  readonly models: readonly string[]
  /** Owner of these models in lists of models. */
  readonly owner: string
  /** Key of the note that the form shows. */
  readonly note?: NonNullable<ProviderRow['note']>
  /** The form asks for an organization of the account. */
  readonly hasOrganization: boolean
  /** A discontinued service: old channels still work, and forms need not offer it. */
  readonly legacy?: true
}

/** Every channel type, in the order of their wire ids: one for each row of the provider table. */
export const channelTypes: readonly ChannelType[] = providerTable.map(channelTypeOf)

function channelTypeOf(row: ProviderRow): ChannelType {
  const { type, id, name, baseUrl, address, key, other, models = '', owner = id, note, legacy } = row
  return {
    id: type,
    name,
    provider: id,
    defaultBaseUrl: baseUrl,
    ...(address !== undefined && { address }),
    keyHint: key,
    ...(other !== undefined && { other }),
    models: models.split(/\s+/).filter((model) => model !== ''),
    owner,
    ...(note !== undefined && { note }),
    hasOrganization: row.organization === true,
    ...(legacy !== undefined && { legacy }),
  }
}

const byId: ReadonlyMap<number, ChannelType> = new Map(channelTypes.map((type) => [type.id, type]))

/** The type behind a channel's wire integer; `undefined` for an integer the catalogue does not know. */
export function findChannelType(id: number): ChannelType | undefined {
  return byId.get(id)
}

/** The default type of a new channel's form, in the format that most upstreams follow. */
export const standardChannelType = 1

/** The http(s) form of a channel's address: an upstream behind a WebSocket may have one of either scheme. */
export function httpFormOf(address: string, type: number): string {
  const isWebSocket = findChannelType(type)?.defaultBaseUrl.startsWith('ws') === true
  return isWebSocket ? address.replace(/^ws(?=s?:)/i, 'http') : address
}
