import type { ChannelUpdateBody } from '@tollgate/api'
import type { Provider } from '@tollgate/providers'
import type { Vault } from '../../lib/crypto.ts'
import { editOver, type Merge, mergeCommaLists, mergeJsonTexts } from '../../lib/merge-edit.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ProvableActor } from '../../records/audit-log/audit-log.ts'
import type { Channel, ChannelChange } from '../../store/channels/channels.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import { parseChannelSetting } from '../routing/channel-fields.ts'
import { joinKeys, splitKeys } from '../routing/compile-channel.ts'
import { endOfDrain } from '../routing/draining.ts'
import { type ProviderFor, providerOf } from '../routing/provider-of.ts'
import type { ChannelRoute, RouteChecks } from './channel-address.ts'
import { type ChannelInput, readChannelInput, readStatus } from './channel-input.ts'
import { parseKeys } from './channel-keys.ts'
import { editableFields } from './channel-wire.ts'
import { withStoredPassword } from './proxy-password.ts'

/** The person who sets where a channel's calls go. */
export type RouteSetter = Pick<ProvableActor, 'role' | 'requireProof'>

/** The person, with what is known of the routes that they may set. */
export interface Mover {
  readonly setter: RouteSetter
  readonly checks: RouteChecks
}

export interface ChangeDependencies {
  readonly vault: Vault
  readonly providerFor: ProviderFor
}

/** Changes that an update writes. */
export interface UpdateChange {
  readonly change: ChannelChange
  /** Set when the channel's health and its disabled keys no longer apply. */
  readonly resetsHealth: boolean
}

const fieldMerges = {
  models: mergeCommaLists,
  group: mergeCommaLists,
  model_mapping: mergeJsonTexts,
  status_code_mapping: mergeJsonTexts,
  param_override: mergeJsonTexts,
  setting: mergeJsonTexts,
} satisfies Partial<Record<keyof ChannelUpdateBody, Merge>>

/**
 * Reads an update of a channel, within the work of `checks`. Throws `Refusal` for the first invalid field, and where somebody
 * else has changed the same since.
 */
export function readUpdate(
  channel: Channel,
  sent: ChannelUpdateBody,
  { setter, checks }: Mover,
  deps: ChangeDependencies,
): UpdateChange {
  const body = editOver(sent, editableFields(channel), fieldMerges)
  const type = body.type ?? channel.type
  const input = readChannelInput(withStoredValues(channel, body, type), type)
  const keys = newKeys(channel, body.key, type, deps.vault)
  const status = body.status === undefined ? channel.status : readStatus(body.status, channel.status)
  const isMoved = type !== channel.type || movesRoute(channel, input)
  const isEnabled = status === 'enabled' && channel.status !== 'enabled'
  const resetsHealth = isMoved || keys !== undefined || isEnabled
  const trusted = isMoved
    ? checkMove({ ...channel, ...input, type }, body, { setter, checks }, deps)
    : undefined
  return {
    resetsHealth,
    change: {
      ...input,
      ...(status !== channel.status && { status, ...endOfDrain(channel) }),
      ...(trusted !== undefined && { baseUrlTrusted: trusted }),
      ...(keys !== undefined && {
        keysSealed: deps.vault.seal(joinKeys(keys), sealContexts.channelKeys(channel.id)),
        keyCount: keys.length,
      }),
      ...(resetsHealth && { keyStates: keys === undefined ? manualKeyStates(channel) : [] }),
    },
  }
}

/** The key states that survive a reset of the gateway's decisions: those that a person set. */
export function manualKeyStates({ keyStates }: Pick<Channel, 'keyStates'>): Channel['keyStates'] {
  return keyStates.filter(({ status }) => status === 'disabled')
}

/** The body with its fields resolved: a hidden password is the stored one, and another type has its own rules. */
function withStoredValues(channel: Channel, body: ChannelUpdateBody, type: number): ChannelUpdateBody {
  const { setting } = body
  return {
    ...body,
    ...(type !== channel.type && { other: body.other ?? channel.other }),
    ...(typeof setting === 'string' && { setting: withStoredPassword(setting, channel.setting) }),
  }
}

/** Returns the route of a channel with these fields. */
export function routeOf(fields: Pick<Channel, 'baseUrl' | 'setting'>, provider: Provider): ChannelRoute {
  return {
    baseUrl: fields.baseUrl,
    defaultBaseUrl: provider.defaultBaseUrl,
    proxy: parseChannelSetting(fields.setting).proxy,
  }
}

function movesRoute(channel: Channel, { baseUrl, setting }: ChannelInput): boolean {
  if (baseUrl !== undefined && baseUrl !== channel.baseUrl) return true
  return setting !== undefined && proxyOf(setting) !== proxyOf(channel.setting)
}

/**
 * Refuses to send stored keys to another server for all but root, who alone may read them, with the same recent proof: others must
 * enter the keys again. Returns whether root set the route.
 */
function checkMove(
  moved: Pick<Channel, 'type' | 'baseUrl' | 'setting'>,
  body: ChannelUpdateBody,
  { setter, checks }: Mover,
  { providerFor }: ChangeDependencies,
): boolean {
  const trusted = checks.verdict(routeOf(moved, providerOf(moved.type, providerFor)))
  if (parseKeys(body.key ?? '', moved.type).length > 0) return trusted
  if (setter.role !== 'root') throw new Refusal('channel_keys_to_move')
  setter.requireProof()
  return trusted
}

/** `undefined` when the form left the keys empty, or sent the same again. */
function newKeys(
  channel: Channel,
  text: string | undefined,
  type: number,
  vault: Vault,
): readonly string[] | undefined {
  const keys = parseKeys(text ?? '', type)
  if (keys.length === 0) return undefined
  return joinKeys(keys) === joinKeys(storedKeys(channel, vault)) ? undefined : keys
}

/** Empty when another installation sealed them. */
function storedKeys(channel: Channel, vault: Vault): readonly string[] {
  try {
    return splitKeys(vault.open(channel.keysSealed, sealContexts.channelKeys(channel.id)))
  } catch {
    return []
  }
}

/** Reads a stored text, which another version may have written. */
function proxyOf(setting: string): string {
  try {
    return parseChannelSetting(setting).proxy
  } catch {
    return ''
  }
}
