import {
  type BrokenLimit,
  type ChannelCreateBody,
  type ChannelStatus,
  type ChannelUpdateBody,
  channelResource,
} from '@tollgate/api'
import {
  findChannelType,
  httpFormOf,
  type OtherFault,
  otherFault,
  standardOther,
} from '@tollgate/api/channel-types'
import { Refusal } from '../../lib/refusal.ts'
import type { NewChannel } from '../../store/channels/channels.ts'
import {
  checkModelMapping,
  checkParamOverride,
  isHttpAddress,
  parseChannelSetting,
  parseStatusCodeMapping,
} from '../routing/channel-fields.ts'

/** The fields that a form sent, of those it may set: all that a new channel has but what the gateway adds. */
export type ChannelInput = Partial<
  Omit<NewChannel, 'keysSealed' | 'keyCount' | 'baseUrlTrusted' | 'createdAt'>
>

/** The fields of a form that are read here. */
type ChannelFields = Omit<Partial<ChannelCreateBody> | ChannelUpdateBody, 'mode' | 'key' | 'status'>

const modelMaxLength = 255
const groupMaxLength = 64

/**
 * Checks and normalises the fields of a form, as the channel declares them and with the rules below. Absent and `null`
 * fields are left out, which means "as it is" for an update. Throws `Refusal` for the first invalid field.
 * @param type the channel's type after the change
 */
export function readChannelInput(body: ChannelFields, type: number): ChannelInput {
  const { status: _, ...fields } = readDeclared({ ...body, weight: body.weight && Math.max(body.weight, 0) })
  for (const [name, parse] of textParsers) {
    const text = fields[name]
    if (text !== undefined) parse(text)
  }
  const { models, groups, baseUrl, other } = fields
  return {
    ...fields,
    ...(models !== undefined && { models: checkModels(models) }),
    ...(groups !== undefined && { groups: checkGroups(groups) }),
    ...(baseUrl !== undefined && { baseUrl: readBaseUrl(baseUrl, type) }),
    ...(other !== undefined && { other: readOther(other, type) }),
  }
}

/** Parsers of the texts of JSON, which stay as the operator wrote them. */
const textParsers = [
  ['modelMapping', checkModelMapping],
  ['statusCodeMapping', parseStatusCodeMapping],
  ['paramOverride', checkParamOverride],
  ['setting', parseChannelSetting],
] as const satisfies readonly (readonly [keyof ChannelInput, (text: string) => unknown])[]

/** Reads fields as the channel declares them. */
function readDeclared(body: Omit<ChannelUpdateBody, 'id' | 'key' | 'base'>) {
  return channelResource.fromUpdateBody(body, refuseField)
}

function refuseField({ field, code, min, max }: BrokenLimit): never {
  throw new Refusal(code, { field, min, max })
}

/** Numbers that a call sets for many channels at once. Unlike in a channel's own form, a weight below 0 is refused. */
export function readBulkNumbers({
  priority,
  weight,
}: {
  readonly priority?: number | null | undefined
  readonly weight?: number | null | undefined
}): Pick<ChannelInput, 'priority' | 'weight'> {
  return readDeclared({ priority, weight })
}

export function readTag(text: string): string {
  const { tag = '' } = readDeclared({ tag: text })
  if (tag === '') throw new Refusal('channel_tag_required')
  return tag
}

/** People set 1 and 2. Only the gateway sets 3: it is accepted where the channel already has it. */
export function readStatus(wire: number, current?: ChannelStatus): ChannelStatus {
  if (wire === 1) return 'enabled'
  if (wire === 2) return 'disabled'
  if (wire === 3 && current === 'auto-disabled') return current
  throw new Refusal('channel_status_invalid')
}

/** The names of a comma list, each once. */
export function commaList(text: string): readonly string[] {
  return readDeclared({ models: text }).models ?? []
}

function checkModels(models: readonly string[]): readonly string[] {
  if (models.length === 0) throw new Refusal('channel_models_required')
  for (const model of models) {
    if (model.length > modelMaxLength) {
      throw new Refusal('channel_model_too_long', { max: modelMaxLength, model: `${model.slice(0, 40)}…` })
    }
    checkName('models', model, modelMaxLength)
  }
  return models
}

function checkGroups(groups: readonly string[]): readonly string[] {
  for (const group of groups) checkName('group', group, groupMaxLength)
  return groups.length === 0 ? ['default'] : groups
}

/** Refuses a name that is too long for a list, or not on one line. */
function checkName(field: string, name: string, max: number): void {
  if (name.length > max) throw new Refusal('channel_text_too_long', { field, max })
  if (/\p{Cc}/u.test(name)) throw new Refusal('channel_text_invalid', { field })
}

function readBaseUrl(text: string, type: number): string {
  const address = text.replace(/\/+$/, '')
  if (address === '') return ''
  const isComplete = findChannelType(type)?.address === 'complete'
  // A slot in the host would let the caller's model name choose where the key is sent.
  const filled = isComplete ? address.replaceAll('{model}', 'model') : httpFormOf(address, type)
  if (!isHttpAddress(filled)) throw new Refusal('channel_base_url_invalid')
  const url = new URL(filled)
  const slotInOrigin = isComplete && /^https?:\/\/[^/?#]*\{model\}/i.test(address)
  // An empty query or fragment is in the text alone, and would swallow the path that follows.
  const hasTail = filled.includes('#') || (filled.includes('?') && !isComplete)
  if (url.username !== '' || url.password !== '' || hasTail || slotInOrigin) {
    throw new Refusal('channel_base_url_invalid')
  }
  return address
}

const refusals = {
  'region-required': 'channel_region_required',
  'region-default-required': 'channel_region_default_required',
  'library-required': 'channel_library_required',
  'account-required': 'channel_account_required',
  'application-unknown': 'channel_application_unknown',
} as const satisfies Record<OtherFault, string>

/** Reads the free field as some types use it (operations §3.2). Throws `Refusal` for a value that such a channel cannot use. */
export function readOther(other: string, type: number): string {
  const fault = otherFault(other, type)
  if (fault !== undefined) throw new Refusal(refusals[fault])
  return other === '' ? standardOther(type) : other
}
