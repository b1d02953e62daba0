import {
  type ChannelCreateBody,
  type ChannelStatus,
  type ChannelUpdateBody,
  channelNameMaxLength,
  priorityMinimum,
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
const tagMaxLength = 100
/** Fits every database's plain integer. */
const numberMaximum = 1_000_000_000

/**
 * Checks and normalises the fields of a form. Absent and `null` fields are left out, which means "as it is" for an
 * update. Throws `Refusal` for the first invalid field.
 * @param type the channel's type after the change
 */
export function readChannelInput(body: ChannelFields, type: number): ChannelInput {
  return {
    ...given('type', body.type, (value) => value),
    ...given('name', body.name, readName),
    ...given('models', body.models, readModels),
    ...given('groups', body.group, readGroups),
    ...given('baseUrl', body.base_url, (value) => readBaseUrl(value, type)),
    ...given('modelMapping', body.model_mapping, checked('model_mapping', checkModelMapping)),
    ...given(
      'statusCodeMapping',
      body.status_code_mapping,
      checked('status_code_mapping', parseStatusCodeMapping),
    ),
    ...given('paramOverride', body.param_override, checked('param_override', checkParamOverride)),
    ...given('setting', body.setting, checked('setting', parseChannelSetting)),
    ...given('openaiOrganization', body.openai_organization, line('openai_organization', 255)),
    ...given('other', body.other, (value) => readOther(multiline('other', 20_000)(value), type)),
    ...given('testModel', body.test_model, line('test_model', modelMaxLength)),
    ...given('tag', body.tag, line('tag', tagMaxLength)),
    ...given('maxInputTokens', body.max_input_tokens, integerWithin('max_input_tokens', 0)),
    ...given('priority', body.priority, integerWithin('priority', priorityMinimum)),
    ...given('weight', body.weight, (value) => integerWithin('weight', 0)(Math.max(value, 0))),
    ...given('autoBan', body.auto_ban, (value) => value === 1),
  }
}

/** Numbers that a call sets for many channels at once. Unlike in a channel's own form, a weight below 0 is refused. */
export function readBulkNumbers({
  priority,
  weight,
}: {
  readonly priority?: number | null | undefined
  readonly weight?: number | null | undefined
}): Pick<ChannelInput, 'priority' | 'weight'> {
  return {
    ...given('priority', priority, integerWithin('priority', priorityMinimum)),
    ...given('weight', weight, integerWithin('weight', 0)),
  }
}

export function readTag(text: string): string {
  const tag = line('tag', tagMaxLength)(text)
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

function given<Key extends string, Value, Read>(
  key: Key,
  value: Value | null | undefined,
  read: (value: Value) => Read,
): { [K in Key]?: Read } {
  // TypeScript widens a computed key to an index signature: hence the cast.
  return value === undefined || value === null ? {} : ({ [key]: read(value) } as { [K in Key]: Read })
}

function readName(text: string): string {
  const name = line('name', channelNameMaxLength)(text)
  if (name === '') throw new Refusal('channel_name_and_key_required')
  return name
}

/** The names of a comma list, each once. */
export function commaList(text: string): readonly string[] {
  return [...new Set(text.split(/[,，\n]/).map((entry) => entry.trim()))].filter((entry) => entry !== '')
}

function readModels(text: string): readonly string[] {
  const models = commaList(text)
  if (models.length === 0) throw new Refusal('channel_models_required')
  for (const model of models) {
    if (model.length > modelMaxLength) {
      throw new Refusal('channel_model_too_long', { max: modelMaxLength, model: `${model.slice(0, 40)}…` })
    }
    line('models', modelMaxLength)(model)
  }
  return models
}

function readGroups(text: string): readonly string[] {
  const groups = commaList(text)
  for (const group of groups) line('group', 64)(group)
  return groups.length === 0 ? ['default'] : groups
}

function readBaseUrl(text: string, type: number): string {
  const address = line('base_url', 2048)(text).replace(/\/+$/, '')
  if (address === '') return ''
  const isComplete = findChannelType(type)?.address === 'complete'
  // A slot in the host would let the caller's model name choose where the key is sent.
  const filled = isComplete ? address.replaceAll('{model}', 'model') : httpFormOf(address, type)
  if (!isHttpAddress(filled)) throw new Refusal('channel_base_url_invalid')
  const url = new URL(filled)
  const slotInOrigin = isComplete && /^https?:\/\/[^/?#]*\{model\}/i.test(address)
  const hasQuery = url.search !== '' && !isComplete
  if (url.username !== '' || url.password !== '' || url.hash !== '' || hasQuery || slotInOrigin) {
    throw new Refusal('channel_base_url_invalid')
  }
  return address
}

/** Returns the text as the operator wrote it. Throws the errors of `parse`. */
function checked(field: string, parse: (text: string) => unknown): (text: string) => string {
  return (text) => {
    const trimmed = multiline(field, 65_536)(text)
    parse(trimmed)
    return trimmed
  }
}

function line(field: string, max: number): (text: string) => string {
  return (text) => readText(field, text, max, /\p{Cc}/u)
}

function multiline(field: string, max: number): (text: string) => string {
  // PostgreSQL cannot store a NUL in a text.
  return (text) => readText(field, text, max, /\0/)
}

function readText(field: string, text: string, max: number, forbidden: RegExp): string {
  const trimmed = text.trim()
  if (trimmed.length > max) throw new Refusal('channel_text_too_long', { field, max })
  if (forbidden.test(trimmed)) throw new Refusal('channel_text_invalid', { field })
  return trimmed
}

function integerWithin(field: string, min: number): (value: number) => number {
  return (value) => {
    if (value >= min && value <= numberMaximum) return value
    throw new Refusal('channel_number_invalid', { field, min, max: numberMaximum })
  }
}

const refusals = {
  'region-required': 'channel_region_required',
  'region-default-required': 'channel_region_default_required',
  'library-required': 'channel_library_required',
  'account-required': 'channel_account_required',
  'application-unknown': 'channel_application_unknown',
} as const satisfies Record<OtherFault, string>

/** What the free field means for some types (operations §3.2). Throws `Refusal` for what such a channel cannot use. */
export function readOther(other: string, type: number): string {
  const fault = otherFault(other, type)
  if (fault !== undefined) throw new Refusal(refusals[fault])
  return other === '' ? standardOther(type) : other
}
