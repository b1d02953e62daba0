import type { Channel, ChannelCreateBody, ChannelDraftBody, ChannelUpdateBody } from '@tollgate/api'
import { findChannelType, standardChannelType, standardOther } from '@tollgate/api/channel-types'
import { blankBody, bodyOf } from '../../../components/form/index.ts'
import { listOf } from '../channel-state.ts'
import { type MappingDraft, mappingDraftOf, mappingText } from '../mapping/mapping.ts'
import { type PlainBody, type PlainField, type PlainValues, plainFields } from './form-fields.ts'

/** Everything the channel form edits, as typed. */
export interface ChannelForm extends PlainValues {
  readonly type: number
  readonly name: string
  /** One key per line; on edit empty keeps the stored ones. */
  readonly keys: string
  /** Several keys of a new channel become a channel each. */
  readonly separate: boolean
  readonly baseUrl: string
  readonly models: readonly string[]
  readonly modelMapping: MappingDraft
  readonly groups: readonly string[]
  /** `undefined`: empty, or no whole number. */
  readonly priority: number | undefined
  readonly weight: number | undefined
  readonly organization: string
  readonly other: string
  readonly paramOverride: string
  readonly statusCodeMapping: MappingDraft
  /** JSON text of the extra settings. */
  readonly setting: string
  readonly testModel: string
  readonly autoBan: boolean
}

/** A new channel before anything is typed (defaults of spec operations §3.1). */
export const blankForm: ChannelForm = {
  ...blankBody<PlainBody>(plainFields),
  type: standardChannelType,
  name: '',
  keys: '',
  separate: false,
  baseUrl: '',
  models: [],
  modelMapping: mappingDraftOf(''),
  groups: ['default'],
  priority: 0,
  weight: 0,
  organization: '',
  other: '',
  paramOverride: '',
  statusCodeMapping: mappingDraftOf(''),
  setting: '',
  testModel: '',
  autoBan: true,
}

/** A stored channel in the form. Its keys never leave the server, so that field starts empty. */
export function formOf(channel: Channel): ChannelForm {
  return {
    ...bodyOf<PlainBody>(plainFields, channel),
    type: channel.type,
    name: channel.name,
    keys: '',
    separate: false,
    baseUrl: channel.base_url,
    models: listOf(channel.models),
    modelMapping: mappingDraftOf(channel.model_mapping),
    groups: listOf(channel.group),
    priority: channel.priority,
    weight: channel.weight,
    organization: channel.openai_organization,
    other: channel.other,
    paramOverride: channel.param_override,
    statusCodeMapping: mappingDraftOf(channel.status_code_mapping),
    setting: channel.setting,
    testModel: channel.test_model,
    autoBan: channel.auto_ban === 1,
  }
}

type ChannelFields = Omit<ChannelCreateBody, 'status' | 'max_input_tokens' | 'mode'>

/** The form on the wire: lists joined, texts trimmed, what the specification defaults filled in. */
export function createBodyOf(form: ChannelForm): ChannelFields {
  const other = form.other.trim()
  return {
    ...plainBodyOf(form),
    type: form.type,
    key: form.keys.trim(),
    name: form.name.trim(),
    base_url: trimAddress(form.baseUrl),
    models: form.models.join(','),
    group: form.groups.join(','),
    model_mapping: mappingText(form.modelMapping),
    status_code_mapping: mappingText(form.statusCodeMapping),
    param_override: form.paramOverride.trim(),
    setting: form.setting.trim(),
    openai_organization: form.organization.trim(),
    other: other === '' ? standardOther(form.type) : other,
    test_model: form.testModel.trim(),
    auto_ban: form.autoBan ? 1 : 0,
    priority: form.priority ?? 0,
    weight: Math.max(form.weight ?? 0, 0),
  }
}

/** Texts trimmed, emptied numbers as their default. */
function plainBodyOf(form: ChannelForm): PlainBody {
  const values = plainFields.map(({ name, default: initial }) => {
    const value = form[name as PlainField] ?? initial
    return [name, typeof value === 'string' ? value.trim() : value]
  })
  return Object.fromEntries(values) as PlainBody
}

/** A new channel on the wire, or one for each of its keys. */
export function newBodyOf(form: ChannelForm): ChannelFields & Pick<ChannelCreateBody, 'mode'> {
  return { ...createBodyOf(form), mode: form.separate ? 'separate' : 'single' }
}

/** Only what differs from the form as it was loaded; an empty key is never sent. */
export function updateBodyOf(id: number, form: ChannelForm, loaded: ChannelForm): ChannelUpdateBody {
  const before = createBodyOf(loaded)
  const changed = Object.entries(createBodyOf(form)).filter(
    ([key, value]) => value !== before[key as keyof ChannelFields],
  )
  return { id, ...Object.fromEntries(changed) }
}

/** The form on the wire for a try before it is saved; of a stored channel only what differs from it. */
export function draftBodyOf(form: ChannelForm, channel: Channel | undefined): ChannelDraftBody {
  return channel ? updateBodyOf(channel.id, form, formOf(channel)) : createBodyOf(form)
}

export function trimAddress(text: string): string {
  return text.trim().replace(/\/+$/, '')
}

/** `/v1` is added by the gateway itself, so an address that ends in it is a likely mistake; a full URL is not. */
export function endsInVersion(form: Pick<ChannelForm, 'type' | 'baseUrl'>): boolean {
  return findChannelType(form.type)?.address !== 'complete' && /\/v1$/.test(trimAddress(form.baseUrl))
}

export function withoutVersion(baseUrl: string): string {
  return trimAddress(baseUrl).replace(/\/v1$/, '')
}
